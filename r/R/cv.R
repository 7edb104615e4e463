# Cross-validation: which strength of the penalty predicts best, and the model on all rows with it.

cv.spicymkl <- function(x, ...) UseMethod("cv.spicymkl")

cv.spicymkl.default <- function(x, y, kernels = NULL, loss = NULL, penalty = NULL, weights = NULL, foldid = NULL, ...) {
  request <- make_request(x, y, kernels, weights, list(loss = loss, penalty = penalty, ...), "cv")
  foldid <- as_folds(foldid, request)
  for (lists in c("l1_ratio", "q")) refuse_listed(lists, request$options)
  made <- ask_library(cross_validate_on(request$data, request$y, request$options, foldid))
  new_cv(made, match.call(), request$options)
}

cv.spicymkl.formula <- function(formula, data = NULL, ..., weights = NULL, foldid = NULL, na.action = stats::na.omit) {
  parts <- read_formula(formula, data, substitute(weights), na.action)
  left_out <- parts$na.action
  if (length(left_out) > 0L && length(foldid) == nrow(parts$x) + length(left_out)) foldid <- foldid[-left_out]
  result <- cv.spicymkl.default(parts$x, parts$y, weights = parts$weights, fit_intercept = parts$fit_intercept,
                                target_name = parts$name, foldid = foldid, ...)
  result$call <- match.call()
  result$fit <- with_formula(result$fit, parts, result$call)
  result
}

refuse_listed <- function(name, options) {
  list <- paste0(name, "s")
  if (!is.null(options[[name]]) && !is.null(options[[list]]))
    refuse(name, " has no effect with ", list, ", which lists the values to try; leave it out")
}

# Numbers from 1, one per row.
as_folds <- function(foldid, request) {
  if (is.null(foldid)) return(integer())
  if (!is.null(request$options$folds)) refuse("folds has no effect with foldid, which says the fold of each row; leave it out")
  n <- n_samples_of(request$data)
  if (!is.atomic(foldid)) refuse("foldid is of class ", class(foldid)[1L], ", but it must be numbers, strings or a factor")
  if (!is.null(request$data$order)) foldid <- foldid[request$data$order]
  if (length(foldid) != n) refuse("foldid has ", counted(length(foldid), "value"), ", but there are ", n, " samples; give one per sample")
  if (anyNA(foldid)) refuse("foldid, row ", which(is.na(foldid))[1L], ": the fold is missing; fill it in")
  folds <- as.integer(factor(foldid))
  if (max(folds) < 2L) refuse("foldid names one fold; cross-validation needs at least 2")
  folds
}

new_cv <- function(made, call, options) {
  cv <- made$cv
  points <- cv$points
  points$familiar <- if (cv$familiar == cv$metric) NULL else points$familiar
  names(points)[names(points) == "familiar"] <- cv$familiar
  if (all(points$kernels == "")) points$kernels <- NULL
  fit <- new_spicymkl(made$fit, call, options)
  result <- structure(list(fit = fit, points = points, scores = cv$scores, foldid = cv$foldid, metric = cv$metric,
                           larger_is_better = cv$larger_is_better, relative = cv$relative, best = cv$best,
                           one_standard_error = cv$one_standard_error, chosen = cv$chosen, call = call),
                      class = "cv.spicymkl")
  if (cv$n_unconverged > 0L)
    warning(cv$n_unconverged, " fits of folds did not reach the tolerance; raise max_iter or tol", call. = FALSE)
  if (cv$edge != "") message(edge_advice(result, cv$edge, is.null(options$alphas)))
  result
}

edge_advice <- function(x, edge, spaced) {
  alpha <- x$points$alpha[x$best]
  start <- paste0("the best alpha is the ", edge, " one tried (", alpha_text(x, x$best), ")")
  if (edge == "smallest")
    return(paste0(start, "; go further with ", if (spaced) paste("alpha_ratio =", signif(alpha / 10, 1L)) else "smaller alphas"))
  if (x$relative && alpha >= 1)
    return(paste0(start, ", at which penalties that select choose no kernel: these kernels may hold nothing of y"))
  paste0(start, "; go further with larger alphas")
}

alpha_text <- function(x, point) paste0(signif(x$points$alpha[point], 4L), if (x$relative) "max")

predict.cv.spicymkl <- function(object, newdata, ...) predict.spicymkl(object$fit, newdata, ...)

coef.cv.spicymkl <- function(object, ...) coef.spicymkl(object$fit, ...)

summary.cv.spicymkl <- function(object, ...) summary.spicymkl(object$fit, ...)

print.cv.spicymkl <- function(x, ...) {
  cat_call(x$call)
  shown <- cbind(" " = ifelse(seq_len(nrow(x$points)) == x$chosen, "*", ""), x$points)
  shown <- shown[!is.na(shown$mean), ]  # a fold leaves out strengths after its scores have clearly got worse
  varied <- vapply(shown, function(column) length(unique(column)) > 1L, logical(1)) | !names(shown) %in% c("l1_ratio", "q")
  names(shown)[names(shown) == "mean"] <- x$metric
  print(shown[varied], row.names = FALSE, digits = 4L)
  cat("\n* chosen by ", x$metric, if (x$relative) "; alphas are multiples of alpha_max", "\n\n", sep = "")
  cat("On all rows:\n")
  cat(model_lines(x$fit), sep = "\n")
  invisible(x)
}
