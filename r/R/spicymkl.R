# The fit, from data or by a formula.

spicymkl <- function(x, ...) UseMethod("spicymkl")

spicymkl.default <- function(x, y, kernels = NULL, loss = NULL, penalty = NULL, alpha = NULL, weights = NULL, ...) {
  options <- list(loss = loss, penalty = penalty, alpha = alpha, ...)
  request <- make_request(x, y, kernels, weights, options, "train")
  made <- ask_library(train_on(request$data, request$y, request$options))
  new_spicymkl(made, match.call(), request$options)
}

spicymkl.formula <- function(formula, data = NULL, ..., weights = NULL, na.action = stats::na.omit) {
  parts <- read_formula(formula, data, substitute(weights), na.action)
  fit <- spicymkl.default(parts$x, parts$y, weights = parts$weights, fit_intercept = parts$fit_intercept,
                          target_name = parts$name, ...)
  with_formula(fit, parts, match.call())
}

with_formula <- function(fit, parts, call) {
  fit$call <- call
  fit$terms <- parts$terms
  fit$xlevels <- parts$xlevels
  fit$na.action <- parts$na.action
  fit
}

# What the library is asked: data, y and options. `given` are the options of a call, target_name among them.
make_request <- function(x, y, kernels, weights, given, of) {
  if (missing(x)) refuse("x is missing; give a matrix, a data frame, or a named list of them")
  y <- drop_to_vector(y)
  if (is.null(kernels)) refuse_ambiguous(x, y)
  name <- if (is.null(given$target_name)) "y" else given$target_name
  given$target_name <- NULL
  precomputed <- identical(kernels, "precomputed")
  if (!precomputed) given$kernels <- as_kernels(kernels)
  given$groups <- as_groups(given$groups)
  options <- as_options(given, of)
  refuse_idle_alphas(options)
  check_survival(y, options)
  data <- as_data(x, options, precomputed, sample_names(y), of)
  data$psd <- if (is.null(options$psd)) "refuse" else options$psd
  n <- n_samples_of(data)
  n_given <- if (is.null(data$order)) n else NROW(y)
  data$weights <- as_weights(weights, n_given)
  if (!is.null(data$order)) {
    y <- samples_of(y, data$order)
    data$weights <- data$weights[data$order]
  }
  list(data = data, y = as_response(y, n, name), options = options[setdiff(names(options), "psd")])
}

# A preset, a file, or kernels as lists: the library reads JSON.
as_kernels <- function(kernels) {
  if (is.null(kernels) || is.character(kernels)) return(kernels)
  if (!is.list(kernels)) refuse("kernels is ", shown(kernels), ", but it must be a preset, a file, or a list of kernels")
  if (length(kernels) == 0L) refuse("kernels is an empty list; give at least one kernel")
  if (!is.null(names(kernels))) kernels <- list(kernels)
  if (!all(vapply(kernels, function(kernel) is.list(kernel) && !is.null(names(kernel)), logical(1))))
    refuse("kernels is a list, whose members must be kernels such as list(type = \"gaussian\", width = 1)")
  ask_library(as_json(plain_list(kernels, "kernels")))
}

# A file, or a named list of columns.
as_groups <- function(groups) {
  if (is.null(groups) || is.character(groups)) return(groups)
  if (!is.list(groups) || is.null(names(groups)))
    refuse("groups is ", shown(groups), ", but it must be a file, or a named list that gives each source its columns")
  for (name in names(groups)) refuse_numbered(groups[[name]], paste0("groups, ", name))
  ask_library(as_json(lapply(plain_list(as.list(groups), "groups"), I)))
}

as_weights <- function(weights, n) {
  if (is.null(weights)) return(rep(1, n))
  if (!is.numeric(weights)) refuse("weights are of class ", class(weights)[1L], ", but they must be numbers")
  if (length(weights) != n) refuse("weights has ", counted(length(weights), "value"), ", but there are ", n, " samples; give one per sample")
  wrong <- which(is.na(weights) | weights <= 0 | is.infinite(weights))
  if (length(wrong) > 0L)
    refuse("weights, row ", wrong[1L], ": the weight is ", weights[wrong[1L]], ", but sample weights must be above 0; ",
           "correct it, or leave the row out")
  as.double(weights)
}

# --- formulas ---------------------------------------------------------------------------------------------------------

read_formula <- function(formula, data, weights, na.action) {
  if (length(formula) != 3L) refuse("the formula has no left side; write what is learned as y ~ .")
  if (!is.null(data) && !is.data.frame(data)) refuse("data is ", kind_of(data), ", but it must be a data frame")
  frame <- formula_frame(formula, data, weights, na.action)
  terms <- attr(frame, "terms")
  check_terms(terms)
  list(x = frame[predictors(terms)], y = stats::model.response(frame), weights = stats::model.weights(frame),
       fit_intercept = if (attr(terms, "intercept") == 0L) FALSE, name = deparse(formula[[2L]], nlines = 1L),
       terms = terms, xlevels = stats::.getXlevels(terms, frame), na.action = attr(frame, "na.action"))
}

formula_frame <- function(formula, data, weights, na.action) {
  arguments <- list(quote(stats::model.frame), formula = formula, data = data, na.action = na.action)
  if (!is.null(weights)) arguments$weights <- weights
  tryCatch(eval(as.call(arguments), environment(formula)), error = function(error) refuse(conditionMessage(error)))
}

check_terms <- function(terms) {
  if (!is.null(attr(terms, "offset"))) refuse("the formula has an offset, which kernels do not take; leave it out")
  crossed <- attr(terms, "term.labels")[attr(terms, "order") > 1L]
  if (length(crossed) > 0L)
    refuse("the formula has the interaction ", crossed[1L], "; name the columns alone: kernels on several columns learn ",
           "how they act together")
  if (length(attr(terms, "term.labels")) == 0L) refuse("the formula has no right side; name columns, or write y ~ .")
  learned <- rownames(attr(terms, "factors"))[attr(terms, "response")]
  if (any(attr(terms, "factors")[learned, ] > 0)) refuse("the formula has ", learned, " on both sides; leave it out on the right")
}

# The variables of the right side, as columns of the model frame.
predictors <- function(terms) {
  factors <- attr(terms, "factors")
  rownames(factors)[rowSums(factors) > 0]
}
