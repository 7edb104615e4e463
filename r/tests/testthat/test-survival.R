# survival::Surv() makes such objects; the package itself is not needed.
Surv <- function(time, event) {
  structure(cbind(time = time, status = as.numeric(event)), class = "Surv", type = "right")
}

patients <- function(n = 60) {
  data <- rows(n)
  time <- round(stats::rexp(n) * exp(-data$y), 2) + 0.01
  data.frame(data$x, time = time, dead = stats::runif(n) < 0.7)
}

test_that("the objective of survival times is Cox's partial likelihood", {
  data <- patients()
  K <- grams(as.matrix(data[c("a", "b", "c")]))
  fit <- spicy(K, Surv(data$time, data$dead), kernels = "precomputed", alpha = 0.5, tol = 1e-7)
  f <- decision(fit, K)
  at_risk <- vapply(data$time, function(time) sum(exp(f[data$time >= time])), 1)
  expect_equal(sum((log(at_risk) - f)[data$dead]) + 0.5 * sum(fit$norms), fit$primal, tolerance = 1e-8)
  expect_lte(fit$gap, 1e-7)
  expect_identical(fit$problem$loss, "cox")
  expect_equal(predict(fit, K, type = "link"), f, tolerance = 1e-9)
  expect_equal(predict(fit, K), exp(f), tolerance = 1e-9)
  expect_output(print(fit), sprintf("learning of survival times (%d events): 60 samples", sum(data$dead)), fixed = TRUE)
})

test_that("survival is exp of minus Breslow's hazard", {
  data <- patients()
  fit <- spicy(Surv(time, dead) ~ a + b + c, data)
  link <- predict(fit, data, type = "link")
  deaths <- sort(unique(data$time[data$dead]))
  steps <- vapply(deaths, function(t) sum(data$time == t & data$dead) / sum(exp(link[data$time >= t])), 1)
  times <- c(0, 0.5, 2)
  hazard <- vapply(times, function(t) sum(steps[deaths <= t]), 1)
  survival <- predict(fit, data[1:4, ], type = "survival", times = times)
  expect_equal(survival, exp(-outer(exp(link[1:4]), hazard)), tolerance = 1e-9, ignore_attr = TRUE)
  expect_identical(dim(predict(fit, data[1:4, ], type = "survival")), c(4L, length(unique(data$time))))
})

test_that("formulas, files, paths and cross-validation take survival times", {
  data <- patients()
  data$a[3] <- NA
  fit <- spicy(Surv(time, dead) ~ ., data)
  expect_identical(fit$n_samples, 59)
  file <- tempfile()
  write_spicymkl(fit, file)
  expect_identical(predict(read_spicymkl(file), data[4:9, ], type = "survival"), predict(fit, data[4:9, ], type = "survival"), ignore_attr = TRUE)
  path <- spicymkl_path(Surv(time, dead) ~ ., data, n_alphas = 3, threads = 2)
  expect_length(path$alphas, 3)
  cv <- suppressMessages(cv.spicymkl(Surv(time, dead) ~ a + b, data, alphas = c("0.5max", "0.1max"), folds = 3, threads = 2))
  expect_identical(cv$metric, "concordance")
})

test_that("wrong survival times are refused", {
  data <- patients()
  x <- as.matrix(data[c("a", "b")])
  fit_to <- function(time = data$time, event = data$dead, ...) spicymkl(x, Surv(time, event), ..., threads = 2)
  expect_refusal(fit_to(time = -data$time), "the time is")
  expect_refusal(fit_to(event = replace(data$dead, 5, NA)), "row 5, column 'status': the event is missing")
  expect_refusal(fit_to(event = rep(FALSE, 60)), "none of the 60 rows has an event")
  expect_refusal(fit_to(data$time[-1], data$dead[-1]), "y has 59 values, but x has 60 samples")
  expect_refusal(fit_to(loss = "squared"), "survival times are learned by loss = \"cox\"")
  expect_refusal(fit_to(multi_class = "joint"), "multi_class has no effect on survival times")
  expect_s3_class(fit_to(multi_class = "auto"), "spicymkl")
  expect_refusal(spicymkl(x, data$time, loss = "cox"), "give y as Surv(time, event)")
  expect_refusal(spicymkl(x, structure(Surv(data$time, data$dead), type = "left")), "right-censored: Surv(time, event)")
  fit <- spicy(x, Surv(data$time, data$dead))
  expect_refusal(predict(fit, x, type = "class"), "this one learned survival times")
  expect_refusal(predict(fit, x, times = 1), "times has no effect with type = \"response\"")
  expect_refusal(predict(fit, x, type = "survival", times = "a"), "times is \"a\", but it must be numbers")
  expect_refusal(predict(spicy(x, data$time), x, type = "survival"), "is for models of survival times")
})
