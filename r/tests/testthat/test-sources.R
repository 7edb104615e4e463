sources <- function() {
  data <- rows()
  x <- data$x
  rownames(x) <- paste0("p", 1:60)
  list(tables = list(first = x[, "a", drop = FALSE], second = as.data.frame(x[, c("b", "c")])),
       y = stats::setNames(data$y, rownames(x)))
}

test_that("sources are matched by row names, whatever their order", {
  data <- sources()
  fit <- spicy(data$tables, data$y)
  expect_setequal(unique(fit$source), c("first", "second"))
  expect_identical(fit$columns$names, c("first:a", "second:b", "second:c"))
  mixed <- data$tables
  mixed$second <- mixed$second[sample(60), ]
  expect_identical(spicy(mixed, data$y)$primal, fit$primal)
  new <- predict(fit, mixed)
  expect_equal(new, predict(fit, data$tables))
  expect_named(new, rownames(data$tables$first))
})

test_that("samples that a source lacks are refused, left out, or say nothing", {
  data <- sources()
  tables <- data$tables
  tables$second <- tables$second[-(1:5), ]
  expect_refusal(spicy(tables, data$y), "of 60 samples, 'second' lacks 5; add the rows, or use missing_view")
  dropped <- spicy(tables, data$y, missing_view = "drop")
  expect_identical(dropped$n_samples, 55)
  expect_identical(dropped$primal, spicy(lapply(data$tables, function(t) t[-(1:5), , drop = FALSE]), data$y[-(1:5)])$primal)
  zero <- spicy(tables, data$y, missing_view = "zero", weights = rep(1, 60))
  expect_identical(zero$n_samples, 60)
  parts <- predict(zero, tables, type = "contributions")
  of_second <- zero$source[zero$active] == "second"
  expect_true(all(parts[1:5, of_second] == 0))
  expect_equal(predict(zero, tables["first"])[["p1"]], predict(zero, tables)[["p1"]])
  expect_silent(predict(zero, data$tables, strict = TRUE))
  expect_refusal(predict(zero, tables, strict = TRUE), "of 60 samples, 'second' lacks 5; add the rows, or leave out strict")
  expect_refusal(predict(zero, tables["first"], strict = TRUE), "newdata lacks the table 'second', which the model was fitted on; add it, or leave out strict")
  complete <- spicy(data$tables, data$y)
  expect_refusal(predict(complete, tables), "of 60 samples, 'second' lacks 5; add the rows, or leave these samples out")
})

test_that("a table of categories may be lacking", {
  data <- sources()
  data$tables$second$g <- rep(c("u", "v", "w"), 20)
  tables <- data$tables
  tables$second <- tables$second[-(1:5), ]
  fit <- spicy(tables, data$y, missing_view = "zero", alpha = "0.001max")
  expect_silent(alone <- predict(fit, tables["first"]))
  expect_equal(alone[["p1"]], predict(fit, tables)[["p1"]])
})

test_that("sources that do not match are refused", {
  data <- sources()
  expect_refusal(spicy(unname(data$tables), data$y), "x is a list whose members have no names")
  expect_refusal(spicy(list(), data$y), "x is an empty list")
  half <- list(first = unname(data$tables$first), second = data$tables$second)
  expect_refusal(spicy(half, data$y), "the table 'second' names its rows and 'first' does not")
  plain <- list(first = unname(data$tables$first), second = matrix(0, 3, 2))
  expect_refusal(spicy(plain, data$y), "matched by the position of their rows, but 'first' has 60, 'second' has 3 rows")
  names(data$y)[1] <- "stranger"
  expect_refusal(spicy(data$tables, data$y), "y has the sample 'stranger', which no table has")
  fit <- spicy(data$tables, unname(data$y))
  expect_refusal(predict(fit, data$tables["first"]), "newdata lacks the table 'second'")
  expect_refusal(predict(fit, c(data$tables, list(third = 1))), "the model has no source 'third'")
  expect_refusal(predict(fit, data$tables$first), "the model was fitted on the tables first, second")
})
