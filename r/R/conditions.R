# Errors are conditions of class "spicymkl_error" with one sentence: what, where, what to do.

refuse <- function(...) {
  stop(structure(list(message = paste0(...), call = NULL), class = c("spicymkl_error", "error", "condition")))
}

# Calls the library. Its sentences name options as the command has them, --l1-ratio: here l1_ratio.
ask_library <- function(call) {
  withCallingHandlers(call, `spicymkl::InputError` = function(error) refuse(in_words_of_r(conditionMessage(error))),
                      `spicymkl::TableProblems` = function(error) refuse(in_words_of_r(conditionMessage(error))))
}

in_words_of_r <- function(sentence) {
  options <- gregexpr("--[a-z][a-z0-9-]*[a-z0-9]|--q\\b", sentence)
  regmatches(sentence, options) <- lapply(regmatches(sentence, options), function(found) {
    gsub("-", "_", sub("^--", "", found))
  })
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

quoted <- function(names) paste0("'", names, "'")

tell <- function(notes) for (note in notes) message(in_words_of_r(note))
