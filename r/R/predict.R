# Predictions of new rows.

predict.spicymkl <- function(object, newdata, type = c("response", "class", "link", "contributions", "survival"),
                             times = NULL, threads = 0, strict = FALSE, ...) {
  check_model(object)
  type <- one_of(type)
  if (missing(newdata) || is.null(newdata)) refuse("newdata is missing; give the rows to predict")
  threads <- option_value("threads", threads, "integer")
  strict <- option_value("strict", strict, "flag")
  check_type(object, type)
  times <- check_times(object, type, times)
  rows <- new_rows(object, newdata, strict)
  scores <- ask_library(score_rows(object$model, rows$data, threads, strict, type == "contributions"))
  say_leniency(scores$leniency)
  result <- switch(type, response = response_of(object, scores), link = by_class(scores$link, object$classes),
                   class = factor(object$classes[scores$class], levels = object$classes),
                   contributions = contributions_of(object, scores),
                   survival = with_columns(ask_library(survival_at(object$model, scores$link[, 1L], times)), times))
  with_row_names(result, rows$names)
}

check_type <- function(object, type) {
  if (type == "class" && !is_classifier(object))
    refuse("type = \"class\" is for models of classes, and this one learned ",
           if (is_survival(object)) "survival times" else "numbers", "; use type = \"response\"")
  if (type == "response" && is_classifier(object) && !object$probabilities)
    refuse("probabilities are those of loss = \"logistic\", and this model has loss = \"", object$problem$loss,
           "\"; use type = \"class\" or type = \"link\"")
}

# When to predict survival: at all times of the training samples unless others are given.
check_times <- function(object, type, times) {
  if (type != "survival") {
    if (!is.null(times)) refuse("times has no effect with type = \"", type, "\"; use type = \"survival\"")
    return(NULL)
  }
  if (!is_survival(object)) refuse("type = \"survival\" is for models of survival times; use type = \"response\"")
  if (is.null(times)) return(object$survival$steps)
  if (!is.numeric(times) || length(times) == 0L || anyNA(times)) refuse("times is ", shown(times), ", but it must be numbers")
  as.double(times)
}

# Probabilities: of the second of two classes, or of all classes. Risks of survival times are relative to log-risk 0.
response_of <- function(object, scores) {
  if (is_survival(object)) return(exp(scores$link[, 1L]))
  if (!is_classifier(object)) return(scores$link[, 1L])
  if (length(object$classes) == 2L) scores$probabilities[, 2L] else with_columns(scores$probabilities, object$classes)
}

# What the covariates add, where there are any, is a column like those of the kernels.
contributions_of <- function(object, scores) {
  parts <- lapply(scores$shares, function(share)
    cbind(with_columns(share$values, object$kernels[share$kernels]), covariates = share$covariates))
  if (length(parts) == 1L) parts[[1L]] else stats::setNames(parts, object$classes)
}

with_columns <- function(values, names) {
  colnames(values) <- names
  values
}

with_row_names <- function(result, names) {
  if (is.null(names)) return(result)
  if (is.list(result)) return(lapply(result, with_row_names, names))
  if (is.matrix(result)) rownames(result) <- names else if (!is.factor(result)) names(result) <- names
  result
}

# What had to be done to new rows that the training rows did not need.
say_leniency <- function(done) {
  if (isTRUE(done$imputed_cells > 0))
    message("newdata: ", counted(done$imputed_cells, "cell"), " imputed in ", counted(done$imputed_columns, "column"),
            "; strict = TRUE refuses that")
  if (length(done$unseen) > 0L)
    warning("newdata: ", paste(vapply(done$unseen, unseen_text, ""), collapse = "; "), "; strict = TRUE refuses that",
            call. = FALSE)
}

unseen_text <- function(unseen) {
  one <- unseen$n_texts == 1
  paste0(if (one) "1 category" else paste(unseen$n_texts, "categories"), " never seen in training in column '",
         unseen$column, "' (such as '", unseen$first, "', ", counted(unseen$n_cells, "row"), "), which ",
         if (one) "matches" else "match", " no training row")
}

# --- what the model reads of new rows ---------------------------------------------------------------------------------

new_rows <- function(object, newdata, strict) {
  if (is_precomputed(object)) {
    if (strict) refuse("strict has no effect on precomputed kernels, which have no cells; leave it out")
    return(list(data = new_grams(object, newdata), names = NULL))
  }
  if (!is.null(object$terms)) newdata <- formula_rows(object, newdata)
  several <- is.list(newdata) && !is.data.frame(newdata)
  if (length(object$columns$sources) > 0L) return(new_sources(object, newdata, several, strict))
  if (several) refuse("newdata is a list, but the model was fitted on one table; give a matrix or a data frame")
  data <- as_known_columns(as_new_table(newdata, "newdata", object), object)
  list(data = data, names = row_names(newdata))
}

formula_rows <- function(object, newdata) {
  if (!is.data.frame(newdata)) refuse("newdata is ", kind_of(newdata), ", but the model was fitted by a formula; give a data frame")
  terms <- stats::delete.response(object$terms)
  lacking <- setdiff(all.vars(terms), c(names(newdata), ls(environment(terms))))
  if (length(lacking) > 0L)
    refuse("newdata: there is no column '", lacking[1L], "', which the model needs; give the columns of the training table")
  frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass)
  frame[predictors(terms)]
}

# Columns that hold categories in the model are strings here, whatever they were given as.
as_new_table <- function(x, what, object, prefix = "") {
  if (is.data.frame(x)) {
    x <- as.data.frame(x)  # data.table assigns otherwise
    texts <- paste0(prefix, names(x)) %in% object$columns$names[object$columns$categorical]
    x[texts] <- lapply(x[texts], as.character)
  }
  as_table(x, what)
}

as_known_columns <- function(table, object) {
  names <- object$columns$names
  if (!table$named || (identical(names, default_names(length(names))) && !any(table$columns %in% names))) {
    if (length(table$columns) != length(names))
      refuse("newdata has ", length(table$columns), " columns, but the model was trained on ", length(names))
    table$columns <- names
  }
  number <- names[!object$columns$categorical]
  texts <- table$columns[lengths(table$categories) > 0L]
  mixed <- intersect(texts, number)
  if (length(mixed) > 0L)
    refuse("newdata: column '", mixed[1L], "' holds strings, but it held numbers when the model was fitted")
  table
}

new_sources <- function(object, newdata, several, strict) {
  sources <- object$columns$sources
  if (!several) refuse("the model was fitted on the tables ", listed(sources), "; newdata must be a list of them")
  check_source_names(newdata, "newdata")
  strangers <- setdiff(names(newdata), sources)
  if (length(strangers) > 0L)
    refuse("the model has no source ", quoted(strangers[1L]), "; its sources are ", listed(sources))
  missing <- object$columns$missing_view
  may_lack <- missing == "zero" && !strict
  absent <- setdiff(sources, names(newdata))
  if (length(absent) > 0L && !may_lack)
    refuse("newdata lacks the table ", quoted(absent[1L]), ", which the model was fitted on; add it",
           if (missing == "zero") ", or leave out strict")
  tables <- Map(function(x, name) as_new_table(x, paste0("the table '", name, "'"), object, paste0(name, ":")),
                newdata, names(newdata))
  match <- match_rows(newdata, tables, NULL)
  if (!may_lack) refuse_lacking(match$rows, if (missing == "zero") "or leave out strict" else "or leave these samples out")
  data <- join_tables(tables, match, missing)
  data <- as_known_columns(with_absent(data, absent, object), object)
  list(data = data, names = rownames(match$rows))
}

# Sources that are not given say nothing of any row; the others are in the order of the model.
with_absent <- function(data, absent, object) {
  sources <- object$columns$sources
  n <- nrow(data$values)
  present <- if (length(data$views$present) == 0L) matrix(1, n, length(data$views$names)) else data$views$present
  all <- matrix(0, n, length(sources))
  all[, match(data$views$names, sources)] <- present
  lost <- object$columns$names[object$columns$source %in% match(absent, sources)]
  data$values <- cbind(data$values, matrix(NA_real_, n, length(lost)))
  data$columns <- c(data$columns, lost)
  data$categories <- c(data$categories, rep(list(character()), length(lost)))
  data$views <- list(names = sources, of_column = integer(), missing = object$columns$missing_view,
                     present = if (all(all == 1)) matrix(0, 0L, 0L) else all)
  data
}

new_grams <- function(object, newdata) {
  if (!is.null(object$covariates))
    refuse("the model has ", counted(NROW(object$covariates), "covariate"), " beside its precomputed kernels, which R cannot ",
           "take of new rows; predict with the command, whose option --covariates takes them")
  kernels <- gram_list(newdata, "newdata")
  n_rows <- nrow(kernels[[1L]])
  for (kernel in kernels) {
    if (ncol(kernel) != object$n_samples)
      refuse("the kernels have ", ncol(kernel), " columns, but the model was trained on ", object$n_samples, " samples")
    if (nrow(kernel) != n_rows) refuse("the kernels of newdata have ", n_rows, " and ", nrow(kernel), " rows")
  }
  places <- active_places(kernels, object)
  Map(refuse_not_finite, kernels[places], gram_labels(kernels)[places])
  list(kernels = unname(kernels[places]), n_rows = n_rows)
}

refuse_not_finite <- function(kernel, label) {
  wrong <- which(!is.finite(kernel))[1L]
  if (is.na(wrong)) return()
  at <- arrayInd(wrong, dim(kernel))
  refuse("newdata: ", label, " has ", kernel[wrong], " at row ", at[1L], ", column ", at[2L],
         "; every entry must be a finite number")
}

# Of all kernels, or of the active ones alone: found by name where they have names.
active_places <- function(kernels, object) {
  active <- object$kernels[object$active]
  if (!is.null(names(kernels)) && all(active %in% names(kernels))) return(match(active, names(kernels)))
  if (length(kernels) == length(object$kernels)) return(object$active)
  if (length(kernels) != length(active))
    refuse("there are ", length(kernels), " kernels, but the model has ", length(object$kernels), ", of which ",
           length(active), " are active")
  seq_along(kernels)
}
