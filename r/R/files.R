# Model files, which the command and Python read and write as well.

write_spicymkl <- function(object, file) {
  if (inherits(object, "cv.spicymkl")) object <- object$fit
  check_model(object)
  file <- file_path(file)
  if (normalizePath(file, mustWork = FALSE) %in% object$files)
    refuse("'", file, "' was read as kernels or groups; choose another file")
  ask_library(write_model(object$model, file))
  invisible(file)
}

read_spicymkl <- function(file) {
  new_spicymkl(ask_library(read_model(file_path(file))), NULL, list())
}

# The files among the options, which a model must not overwrite.
files_read <- function(options) {
  named <- as.character(c(options$kernels, options$groups))
  normalizePath(named[file.exists(named)])
}

file_path <- function(file) {
  if (!is.character(file) || length(file) != 1L || is.na(file) || file == "")
    refuse("file is ", shown(file), ", but it must be the name of a file")
  enc2utf8(path.expand(file))
}

certificate <- function(object) {
  if (inherits(object, "cv.spicymkl")) object <- object$fit
  check_model(object)
  ask_library(model_certificate(object$model))
}
