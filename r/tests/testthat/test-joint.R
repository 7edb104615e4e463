# Three classes at once: one weight per kernel.
three_classes <- function() {
  data <- rows(45)
  list(x = data$x, y = factor(c("low", "middle", "high")[findInterval(data$y, c(-0.7, 0.7)) + 1L],
                              levels = c("low", "middle", "high")))
}

joint <- function(...) spicy(..., multi_class = "joint")

# sum_m scale_m K_m dual + intercept, a column per class
decisions <- function(fit, kernels) {
  sum <- Reduce(`+`, Map(function(kernel, scale) scale * kernel %*% fit$dual, kernels, fit$scale))
  sweep(sum, 2L, fit$intercept, "+")
}

test_that("the objective of all classes is that of its own numbers, with weights", {
  data <- three_classes()
  K <- grams(data$x)
  weights <- stats::runif(45, 0.5, 2)
  fit <- joint(K, data$y, kernels = "precomputed", alpha = 0.3, weights = weights, tol = 1e-8)
  z <- decisions(fit, K)
  of_own <- z[cbind(1:45, as.integer(data$y))]
  norms <- mapply(function(kernel, scale) scale * sqrt(sum(fit$dual * (kernel %*% fit$dual))), K, fit$scale)
  expect_equal(norms, fit$norms, tolerance = 1e-9)
  expect_equal(sum(weights * (log(rowSums(exp(z))) - of_own)) + 0.3 * sum(norms), fit$primal, tolerance = 1e-9)
  expect_lte(fit$gap, 1e-8)
  expect_equal(predict(fit, K, type = "link"), z, tolerance = 1e-9, ignore_attr = TRUE)
  expect_equal(predict(fit, K), exp(z) / rowSums(exp(z)), tolerance = 1e-9, ignore_attr = TRUE)
  expect_identical(predict(fit, K, type = "class"), factor(levels(data$y)[max.col(z)], levels = levels(data$y)))
})

test_that("kernels have one weight, and classes columns of their own", {
  fit <- joint(Species ~ ., iris)
  species <- levels(iris$Species)
  expect_null(dim(coef(fit)))
  expect_named(coef(fit), fit$kernels)
  expect_identical(dimnames(fit$dual), list(NULL, species))
  expect_named(fit$intercept, species)
  expect_length(fit$gap, 1)
  parts <- predict(fit, iris, type = "contributions")
  expect_named(parts, species)
  expect_equal(rowSums(parts$setosa) + fit$intercept[["setosa"]], predict(fit, iris, type = "link")[, "setosa"],
               tolerance = 1e-12, ignore_attr = TRUE)
  expect_output(print(fit), "loss multinomial")
  expect_output(print(summary(fit)), "Active kernels:.*Sources:")
  grDevices::pdf(NULL)
  expect_silent(plot(fit))
  grDevices::dev.off()
})

test_that("files, paths and cross-validation have all classes", {
  data <- three_classes()
  fit <- joint(data$x, data$y)
  file <- tempfile()
  write_spicymkl(fit, file)
  expect_identical(predict(read_spicymkl(file), data$x), predict(fit, data$x))
  path <- spicymkl_path(data$x, data$y, multi_class = "joint", n_alphas = 4, threads = 2)
  expect_null(path$classes)
  expect_identical(dimnames(path$intercepts), list(NULL, levels(data$y)))
  expect_identical(dim(coef(path)), c(length(fit$kernels), 4L))
  cv <- suppressMessages(cv.spicymkl(data$x, data$y, multi_class = "joint", folds = 3, alphas = c("0.3max", "0.1max"),
                                     threads = 2))
  expect_identical(cv$fit$problem$loss, "multinomial")
})

test_that("it is the default wherever the loss can", {
  data <- three_classes()
  asked <- joint(data$x, data$y)
  for (fit in list(spicy(data$x, data$y), spicy(data$x, data$y, loss = "logistic"), spicy(data$x, data$y, multi_class = "auto"))) {
    expect_identical(fit$problem$loss, "multinomial")
    expect_identical(fit$weights, asked$weights)
    expect_identical(fit$primal, asked$primal)
  }
  ovr <- spicy(data$x, data$y, multi_class = "ovr")
  hinge <- spicy(data$x, data$y, loss = "hinge")
  expect_identical(c(ovr$problem$loss, hinge$problem$loss), c("logistic", "hinge"))
  for (fit in list(ovr, hinge)) {
    expect_identical(colnames(fit$weights), levels(data$y))
    expect_length(fit$gap, 3)
  }
})

test_that("joint is refused where there is nothing to join", {
  data <- three_classes()
  expect_refusal(joint(data$x, data$y == "low"), "multi_class has no effect on two classes")
  expect_refusal(joint(data$x, data$x[, 1]), "multi_class has no effect on numbers")
  for (y in list(data$y == "low", data$x[, 1])) expect_s3_class(spicy(data$x, y, multi_class = "auto"), "spicymkl")
  expect_refusal(joint(data$x, data$y, loss = "hinge"), "loss hinge tells two classes apart, but multi_class is joint")
  expect_refusal(spicy(data$x, data$y, multi_class = "all"), "multi_class 'all' is not known; give auto, joint or ovr")
})
