test_that("scores are those of fits on the other folds", {
  data <- rows()
  K <- grams(data$x)
  foldid <- rep(c("x", "y", "z"), 20)
  cv <- cv.spicymkl(K, data$y, kernels = "precomputed", foldid = foldid, alphas = 0.5, tol = 1e-8, threads = 2)
  expect_identical(cv$foldid, rep(1:3, 20))
  test <- foldid == "y"
  fit <- spicy(lapply(K, function(kernel) kernel[!test, !test]), data$y[!test], kernels = "precomputed", alpha = 0.5,
               tol = 1e-8)
  predicted <- predict(fit, lapply(K, function(kernel) kernel[test, !test]))
  expect_equal(cv$scores[1, 2], sqrt(mean((predicted - data$y[test])^2)), tolerance = 1e-3)
  expect_identical(cv$metric, "rmse")
})

test_that("the choice is trained on all rows", {
  data <- rows()
  y <- factor(ifelse(data$y > 0, "up", "down"))
  cv <- suppressMessages(cv.spicymkl(y ~ ., data.frame(data$x, y = y), folds = 3, n_alphas = 5, threads = 2))
  expect_identical(cv$chosen, which.min(cv$points$mean))
  expect_identical(cv$fit$n_samples, 60)
  expect_identical(predict(cv, data.frame(data$x), type = "class"), predict(cv$fit, data.frame(data$x), type = "class"))
  expect_identical(coef(cv), coef(cv$fit))
  expect_output(print(cv), "chosen by log_loss")
  expect_s3_class(summary(cv), "summary.spicymkl")
  file <- tempfile()
  write_spicymkl(cv, file)
  expect_identical(read_spicymkl(file)$primal, cv$fit$primal)
})

test_that("rows that a formula leaves out are left out of the folds", {
  frame <- data.frame(rows()$x, y = rows()$y)
  frame$a[2] <- NA
  cv <- suppressMessages(cv.spicymkl(y ~ ., frame, foldid = rep(1:3, 20), alphas = "0.1max", threads = 2))
  expect_identical(cv$foldid, rep(1:3, 20)[-2])
})

test_that("shapes of the penalty are tried", {
  data <- rows()
  cv <- suppressMessages(cv.spicymkl(data$x, data$y, kernels = "auto:joint", penalty = "elasticnet",
                                     l1_ratios = c(0.2, 0.8), folds = 3, n_alphas = 3, threads = 2))
  expect_setequal(cv$points$l1_ratio, c(0.2, 0.8))
})

test_that("a choice at the edge is said", {
  data <- rows()
  expect_message(cv.spicymkl(data$x, data$y, alphas = c("1max", "0.9max"), folds = 3, threads = 2),
                 "the best alpha is the smallest one tried (0.9max); go further with smaller alphas", fixed = TRUE)
})

test_that("wrong folds are refused", {
  data <- rows()
  expect_refusal(cv.spicymkl(data$x, data$y, foldid = 1:3), "foldid has 3 values, but there are 60 samples")
  expect_refusal(cv.spicymkl(data$x, data$y, foldid = rep(1, 60)), "foldid names one fold")
  expect_refusal(cv.spicymkl(data$x, data$y, foldid = c(NA, rep(1:2, 29), 1)), "foldid, row 1: the fold is missing")
  expect_refusal(cv.spicymkl(data$x, data$y, foldid = rep(1:2, 30), folds = 3), "folds has no effect with foldid")
  expect_refusal(cv.spicymkl(data$x, data$y, foldid = as.list(1:60)), "foldid is of class list")
  expect_refusal(cv.spicymkl(data$x, data$y, folds = 1), "folds is 1, but cross-validation needs at least 2")
  expect_refusal(cv.spicymkl(data$x, data$y, metric = "auc"), "metric 'auc' does not suit numbers")
  expect_refusal(cv.spicymkl(data$x, data$y, l1_ratios = 0.5), "which the block1 penalty does not have")
})
