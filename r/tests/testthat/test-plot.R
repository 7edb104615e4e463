drawn <- function(code) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  before <- graphics::par("mar", "mai", "mfrow")
  force(code)
  after <- graphics::par("mar", "mai", "mfrow")
  grDevices::dev.off()
  expect_identical(after, before)
  expect_gt(file.size(file), 2000)
}

test_that("everything is drawn, and the device is left as it was", {
  data <- rows()
  fit <- spicy(data$x, data$y)
  drawn(plot(fit))
  drawn(plot(fit, "sources", n = 2))
  drawn(plot(spicy(iris[1:4], iris$Species)))
  drawn(plot(spicy(iris[1:4], iris$Species, multi_class = "ovr")))
  drawn(plot(spicymkl_path(data$x, data$y, n_alphas = 5, threads = 2)))
  drawn(plot(spicymkl_path(data$x, data$y, alphas = "1max", threads = 2)))
  drawn(plot(spicymkl_path(iris[1:4], iris$Species, n_alphas = 3, threads = 2), "norms"))
  drawn(plot(spicymkl_path(iris[1:4], iris$Species, multi_class = "ovr", n_alphas = 3, threads = 2), "norms"))
  drawn(plot(suppressMessages(cv.spicymkl(data$x, data$y, folds = 3, n_alphas = 4, threads = 2))))
})

test_that("a model without active kernels is drawn", {
  data <- rows()
  grDevices::pdf(NULL)
  expect_silent(plot(spicy(data$x, data$y, alpha = "2max")))
  grDevices::dev.off()
})
