test_that("the objective of a regression is that of its own numbers", {
  data <- rows()
  K <- grams(data$x)
  fit <- spicy(K, data$y, kernels = "precomputed", alpha = 0.5, tol = 1e-8)
  z <- decision(fit, K)
  norms <- mapply(function(kernel, scale) abs(scale) * sqrt(drop(fit$dual %*% kernel %*% fit$dual)), K, fit$scale)
  expect_equal(sum((data$y - z)^2) + 0.5 * sum(norms), fit$primal, tolerance = 1e-9)
  expect_equal(norms, fit$norms, tolerance = 1e-9)
  expect_lte(fit$gap, 1e-8)
  expect_equal((fit$primal - fit$dual_objective) / fit$primal, fit$gap, tolerance = 1e-3)
  expect_equal(predict(fit, K), z, tolerance = 1e-9)
})

test_that("the objective of two classes is that of its own numbers, with weights", {
  data <- rows()
  K <- grams(data$x)
  y <- factor(ifelse(data$y > 0, "up", "down"))
  weights <- stats::runif(60, 0.5, 2)
  fit <- spicy(K, y, kernels = "precomputed", alpha = 0.3, weights = weights, tol = 1e-8)
  z <- decision(fit, K)
  signs <- ifelse(y == "up", 1, -1)
  expect_equal(sum(weights * log1p(exp(-signs * z))) + 0.3 * sum(fit$norms), fit$primal, tolerance = 1e-9)
})

test_that("a sample of weight 2 is two samples", {
  data <- rows(40)
  twice <- c(1:40, 1:10)
  K <- grams(data$x)
  doubled <- lapply(K, function(kernel) kernel[twice, twice])
  once <- spicy(K, data$y, kernels = "precomputed", alpha = 1, weights = c(rep(2, 10), rep(1, 30)), tol = 1e-10)
  expect_equal(once$primal, spicy(doubled, data$y[twice], kernels = "precomputed", alpha = 1, tol = 1e-10)$primal,
               tolerance = 1e-8)
})

test_that("the second level is the class with positive scores", {
  data <- rows()
  text <- ifelse(data$y > 0, "alive", "dead")
  plain <- spicy(data$x, factor(text))
  turned <- spicy(data$x, factor(text, levels = c("dead", "alive")))
  expect_identical(plain$classes, c("alive", "dead"))
  expect_identical(turned$classes, c("dead", "alive"))
  expect_equal(predict(plain, data$x), 1 - predict(turned, data$x), tolerance = 0.05)
  expect_gt(mean(predict(turned, data$x, type = "class") == text), 0.9)
  expect_identical(spicy(data$x, text)$classes, c("alive", "dead"))
  expect_identical(spicy(data$x, text == "dead")$classes, c("FALSE", "TRUE"))
})

test_that("three classes that are learned each against the rest have columns of their own", {
  fit <- spicy(iris[1:4], iris$Species, multi_class = "ovr")
  expect_identical(colnames(fit$weights), levels(iris$Species))
  probabilities <- predict(fit, iris[1:4])
  expect_equal(rowSums(probabilities), rep(1, 150), ignore_attr = TRUE)
  expect_identical(levels(predict(fit, iris, type = "class")), levels(iris$Species))
  expect_gt(mean(predict(fit, iris, type = "class") == iris$Species), 0.95)
})

test_that("a formula and its table are the same problem", {
  data <- rows()
  frame <- data.frame(data$x, g = rep(c("u", "v", "w"), 20), y = data$y)
  by_formula <- spicy(y ~ ., frame, weights = rep(1:2, 30))
  by_table <- spicy(frame[1:4], frame$y, weights = rep(1:2, 30))
  expect_identical(by_formula$primal, by_table$primal)
  expect_identical(by_formula$target, "y")
  expect_equal(predict(by_formula, frame[7:9, -5]), predict(by_table, frame[7:9, 1:4]))
})

test_that("formulas transform, leave out rows and go without an intercept", {
  frame <- data.frame(rows()$x, y = exp(rows()$y))
  frame$a[5] <- NA
  fit <- spicy(log(y) ~ a + poly(b, 2) - 1, frame)
  expect_identical(fit$n_samples, 59)
  expect_identical(fit$intercept, 0)
  expect_false(fit$problem$fit_intercept)
  expect_identical(fit$columns$names, c("a", "poly(b, 2).1", "poly(b, 2).2"))
  expect_length(predict(fit, frame[1:4, ]), 4)
})

test_that("kernels are lists, files or presets", {
  data <- rows()
  kernels <- list(list(type = "gaussian", width = c(0.5, 2), columns = I("a")), list(type = "linear"))
  fit <- spicy(data$x, data$y, kernels = kernels)
  expect_length(fit$kernels, 3)
  file <- tempfile(fileext = ".json")
  writeLines("[{\"type\": \"gaussian\", \"width\": [0.5, 2], \"columns\": [\"a\"]}, {\"type\": \"linear\"}]", file)
  expect_identical(spicy(data$x, data$y, kernels = file)$primal, fit$primal)
  expect_refusal(write_spicymkl(spicy(data$x, data$y, kernels = file), file), "was read as kernels or groups")
  expect_length(spicy(data$x, data$y, kernels = "random:7", seed = 3)$kernels, 7)
})

test_that("groups are sources", {
  data <- rows()
  fit <- spicy(data$x, data$y, groups = list(first = "a", others = c("b", "c")))
  expect_setequal(unique(fit$source), c("first", "others", "all columns"))
})

test_that("kernels are not copied", {
  skip_if_not(capabilities("profmem"))
  data <- rows(300)
  K <- grams(data$x)
  stack <- array(unlist(K), c(300, 300, 3), list(NULL, NULL, names(K)))
  allocations <- tempfile()
  utils::Rprofmem(allocations, threshold = 8 * 300 * 300)
  fit <- spicy(K, data$y, kernels = "precomputed")
  of_stack <- spicy(stack, data$y, kernels = "precomputed")
  utils::Rprofmem(NULL)
  expect_identical(of_stack$primal, fit$primal)
  expect_identical(grep("^[0-9]", readLines(allocations), value = TRUE), character())
})

test_that("what did not converge is a warning", {
  data <- rows()
  expect_warning(fit <- spicy(data$x, data$y, tol = 1e-9, max_iter = 1), "the relative duality gap is")
  expect_identical(fit$status, "max_iterations")
})

test_that("missing cells are imputed on request", {
  data <- rows()
  data$x[4, 2] <- NA
  fit <- spicy(data$x, data$y, impute = "median")
  expect_true(all(is.finite(suppressMessages(predict(fit, data$x)))))
})

test_that("cells that are missing for one class, and row numbers, are a warning", {
  data <- rows()
  y <- data$y > 0
  data$x[which(y)[1:20], "c"] <- NA
  expect_warning(spicymkl(data$x, y, impute = "median", threads = 2), "missing")
  frame <- data.frame(patient_id = 1:60, data$x[, c("a", "b")])
  expect_warning(spicymkl(frame, data$y, threads = 2), "'patient_id'")
})

test_that("what the model says of itself is printed", {
  fit <- spicy(iris[1:4], iris$Species)
  expect_output(print(fit), "3 classes (setosa, versicolor, virginica), all at once: 150 samples", fixed = TRUE)
  hinge <- spicy(iris[1:4], iris$Species, loss = "hinge")
  expect_output(print(hinge), "virginica), each against the rest: 150 samples", fixed = TRUE)
  expect_output(print(summary(fit)), "Active kernels:.*Sources:")
  expect_identical(coef(fit), fit$weights)
  expect_identical(coef(fit, "norms"), fit$norms)
  expect_match(certificate(fit), "\"dual_objective\"")
})

test_that("unloading the package leaves its code where threads may still be in it", {
  skip_if_not(file.exists("/proc/self/maps"))
  code <- c("library(spicymkl)", "set.seed(1)", "K <- tcrossprod(matrix(rnorm(3000), 60))",
            "fit <- spicymkl(list(K), rnorm(60), kernels = 'precomputed', threads = 2)",
            "library.dynam.unload('spicymkl', find.package('spicymkl'))",
            "cat(any(grepl('spicymkl.so', readLines('/proc/self/maps'), fixed = TRUE)))")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(code, script)
  expect_identical(system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE), "TRUE")
})
