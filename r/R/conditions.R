# Errors are conditions of class "spicymkl_error" with one sentence: what, where, what to do.

refuse <- function(...) {
  stop(structure(list(message = paste0(...), call = NULL), class = c("spicymkl_error", "error", "condition")))
}

# Calls the library, whose errors become ours.
ask_library <- function(call) {
  again <- function(error) refuse(in_words_of_r(conditionMessage(error)))
  withCallingHandlers(call, `spicymkl::InputError` = again, `spicymkl::TableProblems` = again)
}

# Sentences of the library name options as the command has them: --impute median is impute = "median" here, and
# --l1-ratio is l1_ratio.
in_words_of_r <- function(sentence) {
  sentence <- gsub("--psd of the command, psd= in Python", "the option psd", sentence, fixed = TRUE)
  options <- spicymkl_options("train")
  for (k in which(options$choices != ""))
    for (choice in strsplit(options$choices[k], ", ", fixed = TRUE)[[1L]])
      sentence <- gsub(paste0("--", gsub("_", "-", options$name[k]), " ", choice, "\\b"),
                       paste0(options$name[k], " = \"", choice, "\""), sentence)
  found <- gregexpr("--[a-z][a-z0-9-]*", sentence)
  regmatches(sentence, found) <- lapply(regmatches(sentence, found), function(names) gsub("-", "_", substring(names, 3L)))
  sentence
}

# A value in a sentence.
shown <- function(value) {
  text <- paste(deparse(value, width.cutoff = 60L, nlines = 2L), collapse = " ")
  if (nchar(text) > 80L) paste0(substr(text, 1L, 77L), "...") else text
}

listed <- function(parts, most = 5L) {
  more <- length(parts) - most
  paste0(paste(utils::head(parts, most), collapse = ", "), if (more > 0L) paste(" and", more, "more"))
}

# match.arg(), with a refusal of ours: an argument whose default lists what it may be.
one_of <- function(value) {
  name <- deparse(substitute(value))
  choices <- eval(formals(sys.function(sys.parent()))[[name]])
  if (is.null(value) || identical(value, choices)) return(choices[1L])
  place <- if (is.character(value) && length(value) == 1L) pmatch(value, choices) else NA
  if (is.na(place)) refuse(name, " is ", shown(value), ", but it must be one of ", paste0("\"", choices, "\"", collapse = ", "))
  choices[place]
}

counted <- function(n, noun) paste0(n, " ", noun, if (n != 1L) "s")

quoted <- function(names) paste0("'", names, "'")

# What the library has to say of the data.
tell <- function(made) {
  for (note in made$notes) message(in_words_of_r(note))
  for (caution in made$cautions) warning(in_words_of_r(caution), call. = FALSE)
}
