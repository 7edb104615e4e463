# Options by name. Names, defaults and ranges are the library's: R checks that values are of the right type.

spicymkl_options <- function(of = c("train", "path", "cv")) {
  of <- one_of(of)
  if (is.null(option_tables[[of]])) option_tables[[of]] <- rbind(option_frame(of), psd_option)
  option_tables[[of]]
}

# They do not change, and every fit asks for them.
option_tables <- new.env(parent = emptyenv())

# Of precomputed kernels, which the library's tables do not speak of.
psd_option <- data.frame(name = "psd", type = "string", default = "refuse", choices = "refuse, clip, flip, shift",
                         help = "precomputed kernels with negative eigenvalues: refused, or repaired")

# The options that were given, checked; NULL stands for the default.
as_options <- function(given, of) {
  given <- given[!vapply(given, is.null, logical(1))]
  if (length(given) == 0L) return(list())
  names <- names(given)
  if (is.null(names) || any(names == ""))
    refuse("an option has no name: ", shown(given[[which(c(names, "") == "")[1L]]]), "; write it as name = value")
  if (anyDuplicated(names)) refuse("the option ", names[anyDuplicated(names)], " is given twice; leave one out")
  known <- spicymkl_options(of)
  for (name in names) {
    if (!name %in% known$name)
      refuse("there is no option '", name, "'", name_meant(name, known$name), "; spicymkl_options(\"", of,
             "\") lists them")
    given[[name]] <- option_value(name, given[[name]], known$type[known$name == name])
  }
  given
}

option_value <- function(name, value, type) {
  rule <- option_types[[type]]
  if (!isTRUE(rule$holds(value))) refuse(name, " is ", shown(value), ", but it must be ", rule$kind)
  if (is.character(value)) check_encoding(value, name)
  rule$convert(value)
}

is_number <- function(value) is.numeric(value) && length(value) == 1L && is.finite(value)
is_whole <- function(value) is_number(value) && value == round(value)
as_texts <- function(value) if (is.numeric(value)) number_texts(as.double(value)) else enc2utf8(value)

option_types <- list(
  flag = list(holds = function(value) is.logical(value) && length(value) == 1L && !is.na(value),
              kind = "TRUE or FALSE", convert = identity),
  integer = list(holds = function(value) is_whole(value) && abs(value) <= .Machine$integer.max,
                 kind = paste("a whole number of at most", .Machine$integer.max), convert = as.double),
  number = list(holds = is_number, kind = "a finite number", convert = as.double),
  string = list(holds = function(value) is_number(value) || (is.character(value) && length(value) == 1L && !is.na(value)),
                kind = "one string or finite number", convert = as_texts),
  numbers = list(holds = function(value) is.numeric(value) && length(value) > 0L && all(is.finite(value)),
                 kind = "finite numbers", convert = as.double),
  strings = list(holds = function(value) (is.character(value) || is.numeric(value)) && length(value) > 0L && !anyNA(value),
                 kind = "numbers, or strings such as \"0.1max\"", convert = as_texts)
)

# Options that say something of columns have no effect on kernels that are there already.
refuse_table_options <- function(options, of) {
  idle <- intersect(names(options), c("groups", "impute", "missing_view", "standardize", "features"))
  if (length(idle) > 0L)
    refuse(idle[1L], " has no effect with precomputed kernels, which have no columns; leave it out")
  if (!is.null(options$memory) && of != "cv")  # whose folds are copies
    refuse("memory has no effect with precomputed kernels, which are in memory; leave it out")
}

refuse_gram_options <- function(options, several) {
  if (!is.null(options$psd))
    refuse("psd has no effect with a table, whose kernels have no negative eigenvalues; leave it out")
  if (!is.null(options$missing_view) && !several)
    refuse("missing_view has no effect on one table, whose samples have all of its columns; leave it out")
}

# alphas lists the strengths that n_alphas and alpha_ratio would space.
refuse_idle_alphas <- function(options) {
  idle <- intersect(c("n_alphas", "alpha_ratio"), names(options))
  if (!is.null(options$alphas) && length(idle) > 0L)
    refuse(idle[1L], " has no effect with alphas, which lists the values; leave it out")
  if (identical(options$n_alphas, 1) && !is.null(options$alpha_ratio))
    refuse("alpha_ratio has no effect with n_alphas = 1, which is alpha_max alone; leave it out")
}

# For the help page: the options of a fit, or those that paths and cross-validations have beside them.
options_rd <- function(of) {
  options <- spicymkl_options(of)
  if (of != "train") options <- options[!options$name %in% spicymkl_options("train")$name, ]
  default <- ifelse(options$default %in% c("", "[]"), "", paste0(" Default ", options$default, "."))
  choices <- ifelse(options$choices == "", "", paste0(": ", options$choices))
  text <- gsub("([%{}\\\\])", "\\\\\\1", paste0(options$help, choices, ".", default))
  paste0("\\itemize{\n", paste0("\\item \\code{", options$name, "}: ", text, collapse = "\n"), "\n}")
}
