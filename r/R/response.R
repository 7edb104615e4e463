# What is learned: classes in the order of their levels, numbers, or survival times, a matrix with columns time and status.

as_response <- function(y, n, name) {
  if (!is.factor(y) && !is.numeric(y) && !is.character(y) && !is.logical(y))
    refuse(name, " is of class ", class(y)[1L], ", but it must be a factor, strings, TRUE and FALSE, or numbers")
  if (NROW(y) != n)
    refuse(name, " has ", counted(NROW(y), "value"), ", but x has ", counted(n, "sample"), "; give one value per sample")
  if (is.matrix(y)) return(survival_response(y, name))
  if (is.character(y)) {
    check_encoding(y, name)
    y <- enc2utf8(y)
  }
  if (is.character(y) || is.logical(y)) y <- factor(y, levels = sort(unique(y), method = "radix"))
  if (is.factor(y)) return(class_response(y, name))
  if (any(is.infinite(y))) refuse(name, ", row ", which(is.infinite(y))[1L], ": the value is infinite; correct it")
  list(texts = number_texts(as.double(y)), levels = character(), name = name)
}

class_response <- function(y, name) {
  y <- droplevels(y)
  check_encoding(levels(y), paste("the classes of", name))
  if (any(levels(y) == "")) refuse(name, " has a class without a name; name it")
  list(texts = enc2utf8(as.character(y)), levels = enc2utf8(levels(y)), name = name)
}

survival_response <- function(y, name) {
  list(texts = number_texts(y[, "time"]), events = number_texts(y[, "status"]), levels = character(), name = name)
}

# What survival::Surv() made, as a plain matrix.
as_times <- function(y) {
  if (!identical(attr(y, "type"), "right"))
    refuse("y is Surv() of the type ", shown(attr(y, "type")), ", but the times that can be learned are right-censored: ",
           "Surv(time, event)")
  y <- unclass(y)[, c("time", "status"), drop = FALSE]
  storage.mode(y) <- "double"
  y
}

# Survival times go with one loss, and that with nothing else.
check_survival <- function(y, options) {
  cox <- identical(options$loss, "cox")
  if (!is.matrix(y) && cox) refuse("loss = \"cox\" learns from times and events; give y as Surv(time, event)")
  if (!is.matrix(y)) return()
  if (!cox && !is.null(options$loss) && options$loss != "auto")
    refuse("survival times are learned by loss = \"cox\", which is their default; leave out the loss")
  idle <- intersect(c("task", if (!identical(options$multi_class, "auto")) "multi_class", "fit_intercept"), names(options))
  if (length(idle) > 0L) refuse(idle[1L], " has no effect on survival times", if (idle[1L] == "fit_intercept") ", whose loss has no intercept", "; leave it out")
}

samples_of <- function(y, rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]
sample_names <- function(y) if (is.matrix(y)) rownames(y) else names(y)

drop_to_vector <- function(y) {
  if (missing(y) || is.null(y)) refuse("y is missing; give what is to be learned, one value per sample")
  if (inherits(y, "Surv")) return(as_times(y))
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  if (is.data.frame(y) || (is.matrix(y) && ncol(y) != 1L) || is.list(y))
    refuse("y must be one column, but it is ", if (is.null(dim(y))) "a list" else paste("one of", ncol(y), "columns"))
  if (is.matrix(y)) y <- y[, 1L]
  y
}
