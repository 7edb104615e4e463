test_that("contributions and the intercept are the decision", {
  data <- rows()
  fit <- spicy(data$x, data$y)
  parts <- predict(fit, data$x, type = "contributions")
  expect_identical(colnames(parts), fit$kernels[fit$active])
  expect_equal(rowSums(parts) + fit$intercept, predict(fit, data$x, type = "link"), tolerance = 1e-12)
  for (way in c("joint", "ovr")) {
    classes <- spicy(iris[1:4], iris$Species, multi_class = way)
    parts <- predict(classes, iris, type = "contributions")
    link <- predict(classes, iris, type = "link")
    expect_identical(names(parts), levels(iris$Species))
    expect_equal(rowSums(parts$setosa) + classes$intercept[["setosa"]], link[, "setosa"], tolerance = 1e-12)
  }
})

test_that("probabilities are those of the scores", {
  data <- rows()
  fit <- spicy(data$x, data$y > 0)
  expect_equal(predict(fit, data$x), stats::plogis(predict(fit, data$x, type = "link")), tolerance = 1e-12)
  hinge <- spicy(data$x, data$y > 0, loss = "hinge")
  expect_refusal(predict(hinge, data$x), "probabilities are those of loss = \"logistic\"")
  expect_identical(levels(predict(hinge, data$x, type = "class")), c("FALSE", "TRUE"))
})

test_that("columns are found by name, or by position where they have none", {
  data <- rows()
  fit <- spicy(data$x, data$y)
  expect_identical(predict(fit, data$x[, c("c", "a", "b")]), predict(fit, data$x))
  expect_identical(predict(fit, unname(data$x)), predict(fit, data$x))
  expect_identical(predict(fit, data.frame(data$x, other = 1)), predict(fit, data$x), ignore_attr = TRUE)
  unnamed <- spicy(unname(data$x), data$y)
  expect_identical(predict(unnamed, data$x), predict(unnamed, unname(data$x)))
  expect_refusal(predict(fit, data$x[, 1:2]), "newdata: there is no column 'c', which the model needs")
  expect_refusal(predict(unnamed, unname(data$x[, 1:2])), "newdata has 2 columns, but the model was trained on 3")
})

test_that("categories are found by name", {
  data <- rows()
  frame <- data.frame(a = data$x[, "a"], g = factor(rep(c("u", "v", "w"), 20)))
  y <- frame$a + 2 * (frame$g == "v")
  fit <- spicy(frame, y, alpha = "0.001max")
  new <- frame[c(2, 5), ]
  expect_equal(predict(fit, droplevels(new)), predict(fit, frame)[c(2, 5)], ignore_attr = TRUE)
  expect_equal(predict(fit, transform(new, g = as.character(g))), predict(fit, new))
  expect_refusal(predict(fit, transform(new, a = "1")), "column 'a' holds strings, but it held numbers")
})

test_that("categories that were never seen match no training row, which is said, or refused", {
  data <- rows()
  frame <- data.frame(a = data$x[, "a"], g = factor(rep(c("u", "v", "w"), 20)), h = rep(c("p", "q"), 30))
  fit <- spicy(frame, frame$a + 2 * (frame$g == "v") + (frame$h == "q"), alpha = "0.001max")
  new <- transform(frame[1:4, ], g = c("z", "u", "y", "z"), h = c("p", "r", "q", "p"))
  expect_warning(all <- predict(fit, new), fixed = TRUE, paste0(
    "newdata: 2 categories never seen in training in column 'g' (such as 'z', 3 rows), which match no training row; ",
    "1 category never seen in training in column 'h' (such as 'r', 1 row), which matches no training row; strict = TRUE"))
  expect_warning(other <- predict(fit, transform(new, g = c("1", "u", "2", "3"))), "3 categories never seen", fixed = TRUE)
  expect_identical(all, other)
  expect_true(all(is.finite(all)))
  expect_warning(parts <- predict(fit, new, type = "contributions"), "never seen")
  expect_equal(rowSums(parts) + fit$intercept, all, tolerance = 1e-12, ignore_attr = TRUE)
  expect_silent(predict(fit, frame[1:4, ], strict = TRUE))
  expect_refusal(predict(fit, new, strict = TRUE),
                 "newdata, row 1, column 'g': 'z' is not among the 3 categories of the training table; correct it, or leave out strict")
  expect_refusal(predict(fit, new, strict = NA), "strict is NA, but it must be TRUE or FALSE")
  formula <- spicy(y ~ ., transform(frame, y = frame$a + 2 * (frame$g == "v")), alpha = "0.001max")
  expect_warning(predict(formula, new), "2 categories never seen in training in column 'g'", fixed = TRUE)
})

test_that("cells that the model fills in are said, or refused", {
  data <- rows()
  fit <- spicy(replace(data$x, 5, NA), data$y, impute = "median", alpha = "0.001max")
  new <- replace(data$x[1:4, ], c(2, 3, 6), NA)
  expect_message(filled <- predict(fit, new), "newdata: 3 cells imputed in 2 columns; strict = TRUE refuses that", fixed = TRUE)
  expect_true(all(is.finite(filled)))
  expect_silent(predict(fit, data$x))
  expect_refusal(predict(fit, new, strict = TRUE),
                 "newdata, row 2, column 'a': the cell is missing (3 cells in all); fill it in, or leave out strict")
})

test_that("kernels of new rows are found by name, and only active ones are needed", {
  data <- rows()
  new <- rows(7, 2)$x
  fit <- spicy(grams(data$x), data$y, kernels = "precomputed")
  K <- grams(new, data$x)
  expect_equal(predict(fit, K), decision(fit, K), tolerance = 1e-12)
  expect_identical(predict(fit, rev(K)), predict(fit, K))
  expect_identical(predict(fit, K[fit$kernels[fit$active]]), predict(fit, K))
  expect_identical(predict(fit, unname(K)), predict(fit, K))
  stacked <- array(unlist(K), c(7, 60, 3))
  expect_identical(predict(fit, stacked), predict(fit, K))
  expect_refusal(predict(fit, lapply(K, function(kernel) kernel[, -1])), "the kernels have 59 columns, but the model was")
  expect_refusal(predict(fit, list(K[[1]], K[[2]][-1, ], K[[3]])), "rows")
  expect_refusal(predict(fit, K, strict = TRUE), "strict has no effect on precomputed kernels")
})

test_that("a model without active kernels predicts its intercept", {
  data <- rows()
  K <- grams(data$x)
  table <- spicy(data$x, data$y, alpha = "2max")
  expect_length(table$active, 0)
  expect_equal(predict(table, data$x), rep(mean(data$y), 60), tolerance = 1e-6)
  precomputed <- spicy(K, data$y, kernels = "precomputed", alpha = "2max")
  expect_equal(predict(precomputed, K), rep(mean(data$y), 60), tolerance = 1e-6)
})

test_that("predict refuses what it cannot do", {
  data <- rows()
  fit <- spicy(data$x, data$y)
  expect_refusal(predict(fit), "newdata is missing")
  expect_refusal(predict(fit, NULL), "newdata is missing")
  expect_refusal(predict(fit, data$x, type = "class"), "type = \"class\" is for models of classes")
  expect_refusal(predict(fit, replace(data$x, 1, NA)), "newdata, row 1, column 'a': the cell is missing (1 cell in all)")
  expect_refusal(predict(fit, list(a = data$x)), "the model was fitted on one table")
  expect_refusal(predict(fit, data$x, threads = "two"), "threads is \"two\", but it must be a whole number")
  expect_refusal(predict(fit, data$x, threads = -1), "threads is -1, but it must be 0 (all cores) or more")
  broken <- fit
  broken$model <- as.raw(1:10)
  expect_refusal(predict(broken, data$x), "is not a readable safetensors file")
})
