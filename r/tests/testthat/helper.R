# Small problems, solved on two threads, without notes on kernels that are the same.

spicy <- function(...) suppressMessages(spicymkl(..., threads = 2))

rows <- function(n = 60, seed = 1) {
  set.seed(seed)
  x <- matrix(stats::rnorm(n * 3), n, 3, dimnames = list(NULL, c("a", "b", "c")))
  list(x = x, y = sin(2 * x[, "a"]) + x[, "b"] + stats::rnorm(n) / 5)
}

gaussian <- function(x, z = x, width = 1) {
  squares <- outer(rowSums(x^2), rowSums(z^2), "+") - 2 * tcrossprod(x, z)
  exp(-pmax(squares, 0) / (2 * width^2))
}

grams <- function(x, z = x) {
  list(linear = tcrossprod(x, z), narrow = gaussian(x, z, 0.5), wide = gaussian(x, z, 2))
}

# The decision from what a model says of itself: sum of scale_m K_m dual, and the intercept.
decision <- function(fit, kernels) {
  Reduce(`+`, Map(function(kernel, scale) scale * as.vector(kernel %*% fit$dual), kernels, fit$scale)) + fit$intercept
}

expect_refusal <- function(object, sentence) {
  testthat::expect_error(object, sentence, class = "spicymkl_error", fixed = TRUE)
}
