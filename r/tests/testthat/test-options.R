test_that("options are those of the library", {
  train <- spicymkl_options()
  expect_true(all(c("loss", "penalty", "alpha", "tol", "kernels", "impute", "psd") %in% train$name))
  expect_true(all(train$type %in% names(option_types)))
  expect_identical(train$default[train$name == "penalty"], "block1")
  expect_true(all(c("n_alphas", "alphas") %in% spicymkl_options("path")$name))
  expect_true(all(c("folds", "metric", "one_standard_error") %in% spicymkl_options("cv")$name))
})

test_that("the help page has every option", {
  page <- tools::Rd_db("spicymkl")[["spicymkl_options.Rd"]]
  help <- paste(utils::capture.output(tools::Rd2txt(page)), collapse = " ")
  for (name in unique(unlist(lapply(c("train", "path", "cv"), function(of) spicymkl_options(of)$name))))
    expect_match(help, name, fixed = TRUE)
})

test_that("the package has the version of the library", {
  expect_identical(as.character(utils::packageVersion("spicymkl")), library_version())
})

test_that("sentences speak R", {
  expect_identical(in_words_of_r("imputed by --impute median"), "imputed by impute = \"median\"")
  expect_identical(in_words_of_r("raise --max-iter, or --q"), "raise max_iter, or q")
})
