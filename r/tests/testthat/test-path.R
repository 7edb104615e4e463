test_that("a path ends where a fit of its last strength is", {
  data <- rows()
  K <- grams(data$x)
  path <- spicymkl_path(K, data$y, kernels = "precomputed", n_alphas = 8, tol = 1e-8, threads = 2)
  expect_length(path$alphas, 8)
  expect_false(is.unsorted(rev(path$alphas)))
  expect_equal(path$alphas[1], path$alpha_max)
  expect_identical(path$n_active[1], 0)
  fit <- spicy(K, data$y, kernels = "precomputed", alpha = path$alphas[8], tol = 1e-8)
  expect_equal(path$primal[8], fit$primal, tolerance = 1e-7)
  expect_identical(dim(coef(path)), c(3L, 8L))
  expect_output(print(path), "n_active")
})

test_that("classes have paths of their own, and formulas have paths", {
  path <- spicymkl_path(Species ~ ., iris, alphas = c("1max", "0.1max"), multi_class = "ovr", threads = 2)
  expect_named(paths_of(path), levels(iris$Species))
  expect_length(coef(path, "norms"), 3)
  expect_output(print(path), "class virginica")
})

test_that("wrong grids are refused", {
  data <- rows()
  expect_refusal(spicymkl_path(data$x, data$y, alphas = c("1max", "2")), "give all as numbers, or all as multiples")
  expect_refusal(spicymkl_path(data$x, data$y, alphas = 1:2, n_alphas = 3), "n_alphas has no effect with alphas")
  expect_refusal(spicymkl_path(data$x, data$y, n_alphas = 1, alpha_ratio = 0.1), "alpha_ratio has no effect")
  expect_refusal(spicymkl_path(data$x, data$y, n_alphas = 2e9), "the number of alphas is 2000000000, but at most 10000")
  expect_refusal(spicymkl_path(data$x, data$y, alpha = 1), "there is no option 'alpha'")
})
