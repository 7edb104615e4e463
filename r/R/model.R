# Models: what was learned, in R's words.

new_spicymkl <- function(made, call, options) {
  tell(made)
  made$notes <- made$cautions <- NULL
  for (part in c("weights", "norms", "scale")) rownames(made[[part]]) <- made$kernels
  for (part in intersect(c("weights", "norms", "scale", "dual", "covariates"), names(made)))
    made[[part]] <- by_class(made[[part]], made$classes)
  for (part in c("intercept", "alpha", "primal", "dual_objective", "gap", "iterations", "seconds", "status", "message"))
    if (length(made[[part]]) > 1L) names(made[[part]]) <- made$classes
  made$history <- lapply(made$history, list2DF)
  if (length(made$history) == 1L) made$history <- made$history[[1L]]
  made$call <- call
  made$files <- files_read(options)
  warn_unconverged(made)
  structure(made, class = "spicymkl")
}

# Several columns have the names of the classes; one is a vector.
by_class <- function(values, classes) if (ncol(values) == 1L) values[, 1L] else with_columns(values, classes)

warn_unconverged <- function(made) {
  missed <- which(made$status != "converged")
  if (length(missed) == 0L || is.null(made$call)) return()
  advice <- if (made$message[missed[1L]] == "") "raise max_iter, max_seconds or tol" else made$message[missed[1L]]
  warning(sprintf("the relative duality gap is %.2e, not yet %g (%s); %s", made$gap[missed[1L]], made$tol,
                  made$status[missed[1L]], in_words_of_r(advice)), call. = FALSE)
}

is_classifier <- function(object) length(object$classes) > 0L
is_survival <- function(object) !is.null(object$survival)
is_precomputed <- function(object) is.null(object$columns)

check_model <- function(object) {
  if (!inherits(object, "spicymkl") || !is.raw(object$model))
    refuse("object is ", kind_of(object), ", but it must be what spicymkl() or read_spicymkl() returned")
}

coef.spicymkl <- function(object, type = c("weights", "norms"), ...) {
  object[[one_of(type)]]
}

print.spicymkl <- function(x, ...) {
  cat_call(x$call)
  cat(model_lines(x), sep = "\n")
  heaviest <- kernel_table(x, most = if (is.null(dim(x$weights))) 5L else 2L)
  cat("\nHeaviest kernels:\n")
  if (nrow(heaviest) == 0L) cat("  none is active\n") else print(heaviest, row.names = FALSE, digits = 4L)
  cat_covariates(covariate_table(x), x$columns$reference)
  invisible(x)
}

# The generic, not its method; nothing for a model that was read from a file.
cat_call <- function(call) {
  if (is.null(call)) return()
  call[[1L]] <- as.name(sub("\\.(default|formula)$", "", deparse(call[[1L]])))
  cat("Call: ", paste(deparse(call), collapse = "\n"), "\n\n", sep = "")
}

model_lines <- function(x) {
  learned <- if (is_classifier(x)) paste0(length(x$classes), " classes (", listed(x$classes), ")", way_of(x))
  else if (is_survival(x)) sprintf("survival times (%d events)", as.integer(sum(x$survival$event)))
  else "numbers"
  c(sprintf("Multiple kernel learning of %s: %d samples, %d kernels, %d active", learned, as.integer(x$n_samples),
            length(x$kernels), length(x$active)),
    sprintf("loss %s, penalty %s, alpha %s", x$problem$loss_text, x$problem$penalty_text, listed(signif(x$alpha, 4L))),
    sprintf("%s: objective %s, relative duality gap %s (asked for %g)", status_of(x), listed(format(x$primal, digits = 7L)),
            listed(format(x$gap, digits = 3L)), x$tol))
}

# How more than two classes are learned.
way_of <- function(x) {
  if (length(x$classes) <= 2L) "" else if (is.null(dim(x$weights))) ", all at once" else ", each against the rest"
}

status_of <- function(x) {
  missed <- x$status[x$status != "converged"]
  if (length(missed) == 0L) "converged" else unname(missed[1L])
}

# The active kernels, heaviest first; of several classes, one class after the other, `most` of each.
kernel_table <- function(x, most = Inf) {
  if (is.null(dim(x$weights))) return(weight_rows(x, x$weights, x$norms, most))
  tables <- lapply(x$classes, function(name) {
    rows <- weight_rows(x, x$weights[, name], x$norms[, name], most)
    data.frame(class = rep(name, nrow(rows)), rows)
  })
  do.call(rbind, tables)
}

weight_rows <- function(x, weights, norms, most) {
  order <- order(-weights, -norms)
  order <- order[weights[order] > 0 | norms[order] > 0]
  order <- order[seq_len(min(most, length(order)))]
  data.frame(kernel = x$kernels[order], source = x$source[order], weight = unname(weights[order]),
             norm = unname(norms[order]))
}

summary.spicymkl <- function(object, ...) {
  structure(list(call = object$call, lines = model_lines(object), kernels = kernel_table(object),
                 sources = source_table(object), intercept = object$intercept, covariates = covariate_table(object),
                 reference = object$columns$reference, iterations = object$iterations, seconds = object$seconds),
            class = "summary.spicymkl")
}

# Of each covariate its coefficient, or those of all classes; NULL where the model has none.
covariate_table <- function(x) {
  coefs <- x$covariates
  if (is.null(coefs)) return(NULL)
  if (is.null(dim(coefs))) data.frame(covariate = names(coefs), coef = unname(coefs))
  else data.frame(covariate = rownames(coefs), coefs, row.names = NULL, check.names = FALSE)
}

# `reference` are the categories that have no coefficient.
cat_covariates <- function(table, reference) {
  if (is.null(table)) return()
  cat("\nCovariates, without a penalty", if (length(reference) > 0L) paste0(" (reference: ", listed(reference), ")"), ":\n",
      sep = "")
  print(table, row.names = FALSE, digits = 4L)
}

# The sum of the weights of the kernels of each source.
source_table <- function(x) {
  sums <- rowsum(x$weights, x$source, reorder = FALSE)
  if (is.null(dim(x$weights))) data.frame(source = rownames(sums), weight = sums[, 1L], row.names = NULL)
  else data.frame(source = rownames(sums), sums, row.names = NULL, check.names = FALSE)
}

print.summary.spicymkl <- function(x, n = 20L, ...) {
  cat_call(x$call)
  cat(x$lines, sep = "\n")
  cat(sprintf("intercept %s; %s iterations, %s s\n", listed(signif(x$intercept, 4L)), listed(x$iterations),
              listed(signif(x$seconds, 3L))))
  cat("\nActive kernels:\n")
  if (nrow(x$kernels) == 0L) cat("  none\n") else print(utils::head(x$kernels, n), row.names = FALSE, digits = 4L)
  if (nrow(x$kernels) > n) cat("  ...", nrow(x$kernels) - n, "more\n")
  cat_covariates(x$covariates, x$reference)
  if (nrow(x$sources) > 1L) {
    cat("\nSources:\n")
    weights <- rowSums(x$sources[-1L])
    print(utils::head(x$sources[order(-weights), ], n), row.names = FALSE, digits = 4L)
    if (nrow(x$sources) > n) cat("  ...", nrow(x$sources) - n, "more\n")
  }
  invisible(x)
}
