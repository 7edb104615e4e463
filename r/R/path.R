# The regularisation path: one problem at decreasing strengths, each solved from the one before.

spicymkl_path <- function(x, ...) UseMethod("spicymkl_path")

spicymkl_path.default <- function(x, y, kernels = NULL, loss = NULL, penalty = NULL, weights = NULL, ...) {
  request <- make_request(x, y, kernels, weights, list(loss = loss, penalty = penalty, ...), "path")
  made <- ask_library(path_on(request$data, request$y, request$options))
  tell(made)
  new_path(made, match.call())
}

spicymkl_path.formula <- function(formula, data = NULL, ..., weights = NULL, na.action = stats::na.omit) {
  parts <- read_formula(formula, data, substitute(weights), na.action)
  path <- spicymkl_path.default(parts$x, parts$y, weights = parts$weights, fit_intercept = parts$fit_intercept,
                                target_name = parts$name, ...)
  path$call <- match.call()
  path
}

new_path <- function(made, call) {
  paths <- lapply(made$paths, function(path) {
    rownames(path$weights) <- rownames(path$norms) <- made$kernels
    path$intercepts <- by_class(path$intercepts, made$classes)
    path
  })
  done <- min(vapply(paths, function(path) length(path$alphas), integer(1)))
  if (done == 0L) refuse("max_seconds was over before the first alpha was solved; raise it")
  if (!all(vapply(paths, function(path) path$complete, logical(1))))
    warning("max_seconds was over after ", done, " of ", made$n_points, " alphas; the path ends there", call. = FALSE)
  names(paths) <- if (length(paths) > 1L) made$classes else "all"
  structure(c(if (length(paths) == 1L) paths[[1L]] else list(classes = paths),
              list(kernels = made$kernels, loss = made$loss, penalty = made$penalty, call = call)),
            class = "spicymkl_path")
}

# One path per class, or the only one.
paths_of <- function(x) if (is.null(x$classes)) list(x) else x$classes

coef.spicymkl_path <- function(object, type = c("weights", "norms"), ...) {
  type <- one_of(type)
  parts <- lapply(paths_of(object), function(path) path[[type]])
  if (length(parts) == 1L) parts[[1L]] else parts
}

print.spicymkl_path <- function(x, ...) {
  cat_call(x$call)
  for (name in names(paths_of(x))) cat_path(x$classes[[name]], paste0("class ", name))
  if (is.null(x$classes)) cat_path(x, "")
  invisible(x)
}

cat_path <- function(path, title) {
  if (title != "") cat(title, "\n", sep = "")
  print(data.frame(alpha = path$alphas, n_active = path$n_active, objective = path$primal, gap = path$gaps),
        row.names = FALSE, digits = 4L)
}
