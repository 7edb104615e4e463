# What is learned: classes in the order of their levels, or numbers.

as_response <- function(y, n, name) {
  if (inherits(y, "Surv")) return(survival_response(y))
  if (is.character(y) || is.logical(y)) y <- factor(y, levels = sort(unique(y), method = "radix"))
  if (!is.factor(y) && !is.numeric(y))
    refuse(name, " is of class ", class(y)[1L], ", but it must be a factor, strings, TRUE and FALSE, or numbers")
  if (length(y) != n)
    refuse(name, " has ", length(y), " values, but x has ", n, " samples; give one value per sample")
  if (is.factor(y)) return(class_response(y, name))
  if (any(is.infinite(y))) refuse(name, ", row ", which(is.infinite(y))[1L], ": the value is infinite; correct it")
  list(texts = number_texts(as.double(y)), levels = character(), name = name)
}

class_response <- function(y, name) {
  y <- droplevels(y)
  if (any(levels(y) == "")) refuse(name, " has a class without a name; name it")
  list(texts = enc2utf8(as.character(y)), levels = enc2utf8(levels(y)), name = name)
}

# The place for Surv(time, event), once the library has a loss for it.
survival_response <- function(y) {
  refuse("the left side is Surv(time, event), but survival times cannot be learned yet; give classes or numbers")
}

drop_to_vector <- function(y) {
  if (missing(y) || is.null(y)) refuse("y is missing; give what is to be learned, one value per sample")
  if (inherits(y, "Surv")) return(y)
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  if (is.data.frame(y) || (is.matrix(y) && ncol(y) != 1L) || is.list(y))
    refuse("y must be one column, but it is ", if (is.null(dim(y))) "a list" else paste("one of", ncol(y), "columns"))
  if (is.matrix(y)) y <- y[, 1L]
  y
}
