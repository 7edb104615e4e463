# Lists of kernels and groups, as users write them, on their way to JSON, which has no NA, no Inf and no factors.

# Columns go by name: the library counts from 0, which nobody expects in R.
plain_list <- function(value, what, depth = 0L) {
  if (is.factor(value)) value <- if (inherits(value, "AsIs")) I(as.character(value)) else as.character(value)
  if (!is.list(value)) return(plain_values(value, what))
  if (depth > 100L) return(value)  # which the library refuses
  names <- names(value)
  if (anyDuplicated(names[names != ""])) refuse(what, " gives ", quoted(names[anyDuplicated(names)]), " twice; leave one out")
  members <- if (is.null(names)) seq_along(value) else names
  made <- Map(function(one, member) plain_member(one, member, what, depth + 1L), value, members)
  stats::setNames(made, names)
}

plain_member <- function(value, name, what, depth) {
  if (identical(name, "columns")) refuse_numbered(value, what)
  plain_list(value, if (is.character(name) && name != "") paste0(what, ", ", name) else what, depth)
}

refuse_numbered <- function(columns, what) {
  if (any(vapply(if (is.list(columns)) columns else list(columns), is.numeric, logical(1))))  # factors are not
    refuse(what, ": columns are given as numbers; give their names, such as columns = colnames(x)[1:2]")
}

plain_values <- function(value, what) {
  if (is.null(value)) refuse(what, " is NULL; give a value")
  if (anyNA(value)) refuse(what, " is NA; give a value")
  if (is.numeric(value) && any(is.infinite(value))) refuse(what, " is infinite; give a finite number")
  if (is.character(value)) check_encoding(value, what)
  value
}

# Strings that no encoding explains would fail in the middle of something else.
check_encoding <- function(texts, what) {
  wrong <- which(!validEnc(texts) | Encoding(texts) == "bytes")
  if (length(wrong) > 0L)
    refuse(what, ": ", if (length(texts) > 1L) paste0("string ", wrong[1L], " is") else "the string is",
           " not valid in its encoding; say which it is with Encoding(), or convert it with iconv()")
}
