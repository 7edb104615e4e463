data <- rows(40)
x <- data$x
y <- data$y
K <- grams(x)

test_that("wrong data are refused with the place", {
  expect_refusal(spicymkl(), "x is missing")
  expect_refusal(spicymkl(NULL, y), "x is NULL")
  expect_refusal(spicymkl(x), "y is missing")
  expect_refusal(spicymkl(x, NULL), "y is missing")
  expect_refusal(spicymkl(list(first = x)), "y is missing")
  expect_refusal(spicymkl(x, y[-1]), "y has 39 values, but x has 40 samples")
  expect_refusal(spicymkl(x, 1), "y has 1 value, but x has 40 samples")
  expect_refusal(spicymkl(list(a = 1:3), y), "the table 'a' is of class integer, but it must be a matrix of numbers or a data frame")
  expect_refusal(spicymkl(x, replace(y, 3, NA)), "x, row 3, column 'y': the target is missing")
  expect_refusal(spicymkl(x, replace(y, 3, Inf)), "y, row 3: the value is infinite")
  expect_refusal(spicymkl(replace(x, 5, NA), y), "x, row 5, column 'a': the cell is missing (1 cell in all)")
  expect_refusal(spicymkl(replace(x, 5, NA), y), "have such cells imputed by impute = \"median\"")
  expect_refusal(spicymkl(replace(x, 5, Inf), y), "x, row 5, column 'a': the value is infinite")
  expect_refusal(spicymkl(x[0, ], numeric()), "x has no rows")
  expect_refusal(spicymkl(x[, 0], y), "x has no columns")
  expect_refusal(spicymkl(x[1, , drop = FALSE], 1), "there is only one row")
  expect_refusal(spicymkl("data.csv", y), "x is of class character")
  expect_refusal(spicymkl(mean, y), "x is of class function")
  expect_refusal(spicymkl(cbind(x, a = 1), y), "more than one column named 'a'")
  expect_refusal(spicymkl(data.frame(x, d = Sys.Date()), y), "cannot be learned from: 'd' (Date)")
  expect_refusal(spicymkl(x, list(1, 2)), "y must be one column")
  expect_refusal(spicymkl(x, cbind(y, y)), "y must be one column, but it is one of 2 columns")
  expect_refusal(spicymkl(x, Sys.Date() + 1:40), "y is of class Date")
  expect_refusal(spicymkl(x, mean), "y is of class function")
  expect_refusal(spicymkl(x, new.env()), "y is of class environment")
})

test_that("classes that cannot be learned are refused", {
  expect_refusal(spicymkl(x, factor(rep("a", 40))), "all 40 rows have the one class 'a'")
  expect_refusal(spicymkl(x, rep(1, 40)), "all 40 rows have the one class '1'")
  expect_refusal(spicymkl(x, factor(replace(y > 0, 3, NA))), "x, row 3, column 'y': the target is missing")
  expect_refusal(spicymkl(x, rep(1:4, 10)), "classes or amounts? give task = \"classification\" or task = \"regression\"")
  expect_refusal(spicymkl(x, y, loss = "logistic"), "40 different numbers, too many for classes")
  expect_refusal(spicymkl(x, factor(y > 0), loss = "squared"), "loss squared learns numbers")
  expect_refusal(spicymkl(x, factor(y > 0), task = "regression"), "the target 'FALSE' is not a finite number")
})

test_that("constant and unused factors are no harm", {
  frame <- data.frame(x, g = factor(rep("same", 40), levels = c("same", "never")))
  expect_identical(suppressMessages(spicy(frame, y))$status, "converged")
  expect_identical(spicy(x, factor(y > 0, levels = c(FALSE, TRUE, "never")))$classes, c("FALSE", "TRUE"))
})

test_that("strings that are mostly numbers are taken for categories with a warning", {
  text <- as.character(round(x[, "a"] * 2))
  said <- function(frame, ...) {
    warnings <- character()
    withCallingHandlers(spicy(frame, y, ...), warning = function(w) {
      warnings <<- c(warnings, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    warnings
  }
  odd <- replace(text, c(4, 9), c("n/a", "?"))
  expect_identical(said(data.frame(s = odd, b = x[, "b"])), paste0(
    "x, column 's' is taken for categories, but ", length(unique(odd)) - 2, " of its ", length(unique(odd)), " different ",
    "strings are numbers, and the first that is none is 'n/a' in row 4; convert it with as.numeric(), or with factor() where ",
    "categories are meant"))
  expect_match(said(data.frame(b = x[, "b"], s = text, t = odd)), fixed = TRUE, paste0(
    "x, column 's' is taken for categories, but all of its strings are numbers (", length(unique(text)), " different) ",
    "(likewise 't'); convert it"))
  expect_match(said(list(first = data.frame(s = text), second = x)), "^the table 'first', column 's' is taken")
  expect_length(said(data.frame(s = factor(text), b = x[, "b"])), 0)
  expect_length(said(data.frame(s = rep(c("1", "a"), 20), b = x[, "b"])), 0)  # half of them
  expect_length(said(data.frame(s = rep(c("1", "2", "a", "b", NA), 8), b = x[, "b"]), impute = "median"), 0)
  expect_warning(fit <- spicy(y ~ ., data.frame(s = rep(c("1", "2", "a", "3"), 10), b = x[, "b"], y = y)),
                 "3 of its 4 different strings are numbers, and the first that is none is 'a' in row 3", fixed = TRUE)
  expect_silent(predict(fit, data.frame(s = c("1", "2", "3"), b = 0)))
  expect_warning(suppressMessages(cv.spicymkl(data.frame(s = odd, b = x[, "b"]), y, folds = 2, n_alphas = 2, threads = 2)),
                 "column 's' is taken for categories")
})

test_that("wrong options are refused by name", {
  expect_refusal(spicymkl(x, y, tole = 1), "there is no option 'tole' (did you mean 'tol'?)")
  expect_refusal(spicymkl(x, y, NULL, NULL, NULL, NULL, NULL, 3), "an option has no name: 3")
  expect_refusal(spicymkl(x, y, tol = "a"), "tol is \"a\", but it must be a finite number")
  expect_refusal(spicymkl(x, y, tol = NA), "tol is NA, but it must be a finite number")
  expect_refusal(spicymkl(x, y, tol = -1), "tol is -1, but the relative duality gap to reach must be above 0")
  expect_refusal(spicymkl(x, y, max_iter = 1.5), "max_iter is 1.5, but it must be a whole number")
  expect_refusal(spicymkl(x, y, standardize = NA), "standardize is NA, but it must be TRUE or FALSE")
  expect_refusal(spicymkl(x, y, seed = -1), "seed is -1, but it must be a whole number of 0 or more")
  expect_refusal(spicymkl(x, y, threads = -1), "threads is -1")
  expect_refusal(spicymkl(x, y, loss = "sqared"), "loss 'sqared' is not known (did you mean 'squared'?)")
  expect_refusal(spicymkl(x, y, alpha = 0), "alpha is '0', but it must be a number above 0")
  expect_refusal(spicymkl(x, y, l1_ratio = 0.5), "l1_ratio has no effect with the block1 penalty; leave it out, or choose")
  expect_refusal(spicymkl(x, y, epsilon = 0.5), "epsilon has no effect with the squared loss")
  expect_refusal(spicymkl(x, y, device = "gpu"), "device is 'gpu', but it must be cpu, cuda or auto")
  expect_refusal(spicymkl(x, y, psd = "clip"), "psd has no effect with a table")
  expect_refusal(spicymkl(x, y, missing_view = "zero"), "missing_view has no effect on one table")
  expect_refusal(spicymkl(x, y, kernels = list()), "kernels is an empty list")
  expect_refusal(spicymkl(x, y, kernels = 3), "kernels is 3")
  expect_refusal(spicymkl(x, y, kernels = list(1, 2)), "whose members must be kernels")
  expect_refusal(spicymkl(x, y, kernels = list(list())), "whose members must be kernels")
  expect_refusal(spicymkl(x, y, kernels = list(type = NULL)), "kernels, type is NULL; give a value")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = "gausian"))), "(did you mean 'gaussian'?)")
  expect_refusal(spicymkl(x, y, kernels = "none.json"), "kernels 'none.json' is neither a preset")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = "gaussian", width = NA))), "kernels, width is NA; give a value")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = "gaussian", width = c(1L, NA)))), "kernels, width is NA")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = NA_character_))), "kernels, type is NA")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = "gaussian", width = Inf))), "kernels, width is infinite")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = "linear", columns = 1:2))), "columns are given as numbers; give their names")
  expect_refusal(spicymkl(x, y, kernels = list(type = "linear", type = "cosine")), "kernels gives 'type' twice")
  expect_refusal(spicymkl(x, y, groups = list(first = 1:2)), "groups, first: columns are given as numbers")
  expect_refusal(spicymkl(x, y, groups = list(first = "a", first = "b")), "groups gives 'first' twice")
  expect_refusal(spicymkl(x, y, groups = list(first = NA_character_)), "groups, first is NA")
  expect_refusal(spicymkl(x, y, threads = 1e9), "threads is 1000000000, but it must be at most 4096; 0 takes all cores")
  expect_refusal(spicymkl(x, y, alpha = 1:2), "alpha is 1:2, but it must be one string or finite number")
  expect_refusal(spicymkl(x, y, groups = list(first = "z")), "there is no column 'z'")
  expect_refusal(spicymkl_options("nothing"), "of is \"nothing\", but it must be one of \"train\", \"path\", \"cv\"")
  expect_refusal(spicymkl(x, y, groups = list("a")), "groups is list(\"a\")")
})

test_that("strings that are not valid in any encoding are refused", {
  skip_if_not(l10n_info()[["UTF-8"]])
  wrong <- rep(c("\xff\xfe", "b"), 20)
  expect_refusal(spicymkl(x, wrong), "y: string 1 is not valid in its encoding")
  expect_refusal(spicymkl(x, factor(wrong)), "the classes of y: string")
  expect_refusal(spicymkl(data.frame(x, s = wrong), y), "x, column 's': string 1 is not valid in its encoding")
  expect_refusal(spicymkl(x, `Encoding<-`(rep(c("\xff", "b"), 20), "bytes")), "y: string 1 is not valid in its encoding")
  expect_refusal(spicymkl(x, y, loss = "\xff"), "loss: the string is not valid in its encoding")
  expect_refusal(spicymkl(x, y, kernels = list(list(type = "\xff"))), "kernels, type: the string is not valid in its encoding")
})

test_that("factors among kernels and groups are strings", {
  of <- function(columns) coef(spicy(x, y, kernels = list(list(type = "linear", columns = columns), list(type = "cosine"))))
  expect_identical(of(factor(c("c", "a"))), of(c("c", "a")))
  expect_identical(coef(spicy(x, y, groups = list(first = factor("b"), rest = c("a", "c")))),
                   coef(spicy(x, y, groups = list(first = "b", rest = c("a", "c")))))
})

test_that("a GPU that is not there is refused", {
  skip_if(file.exists("/dev/nvidia0"))
  expect_refusal(spicymkl(x, y, device = "cuda"), "or use device cpu")
  expect_identical(spicy(x, y, device = "auto")$status, "converged")
})

test_that("wrong weights are refused", {
  expect_refusal(spicymkl(x, y, weights = 1:3), "weights has 3 values, but there are 40 samples")
  expect_refusal(spicymkl(x, y, weights = rep(0, 40)), "weights, row 1: the weight is 0")
  expect_refusal(spicymkl(x, y, weights = c(1, NA, rep(1, 38))), "weights, row 2: the weight is NA")
  expect_refusal(spicymkl(x, y, weights = rep("a", 40)), "weights are of class character")
})

test_that("wrong kernels are refused with their names", {
  precomputed <- function(...) spicymkl(..., kernels = "precomputed", threads = 2)
  expect_refusal(spicymkl(K, y), "say kernels = \"precomputed\" if these are kernels")
  expect_refusal(precomputed(x, y), "x: kernel 1 is 40 x 3, but training kernels are square")
  expect_refusal(precomputed(list(K$wide, K$wide[-1, -1]), y), "x: kernel 2 has 39 samples, but kernel 1 has 40")
  expect_refusal(precomputed(list(K$wide, NULL), y), "x: kernel 2 is NULL")
  expect_refusal(precomputed(array(1, c(40, 39, 2)), y), "x: kernel 1 is 40 x 39, but training kernels are square")
  expect_refusal(precomputed(array(1, c(40, 40, 0)), y), "x has no kernel")
  expect_refusal(precomputed(array(1, c(40, 40, 2, 2)), y), "x is of class array")
  expect_refusal(precomputed(list(), y), "x is an empty list")
  expect_refusal(precomputed(NULL, y), "x is NULL; give a list of kernels")
  expect_refusal(precomputed(as.data.frame(K$wide), y), "x is a data frame, but precomputed kernels are matrices")
  expect_refusal(precomputed(list(a = K$wide, a = K$wide), y), "two kernels named 'a'")
  expect_refusal(precomputed(list(a = replace(K$wide, 7, NA)), y), "x: the kernel 'a' has nan at row 7, column 1; every entry")
  expect_refusal(precomputed(list(a = -K$wide), y), "is not positive semi-definite")
  expect_refusal(precomputed(K, y, standardize = FALSE), "standardize has no effect with precomputed kernels")
  expect_refusal(precomputed(K, y, memory = "1G"), "memory has no effect with precomputed kernels, which are in memory")
  expect_refusal(precomputed(K, y, psd = "fix"), "psd is 'fix', but it must be refuse, clip, flip or shift")
  expect_message(precomputed(list(a = K$linear - diag(40)), y, psd = "clip"), "repaired by clip")
})

test_that("entries of wrong kernels are counted from 1, the row before the column, and kernels have the user's names", {
  changed <- function(value, ..., names = NULL) {
    kernels <- stats::setNames(unname(K), names)
    kernels[[2]][matrix(c(...), ncol = 2, byrow = TRUE)] <- value
    kernels
  }
  refused <- function(kernels, sentence, ...) expect_refusal(spicymkl(kernels, y, kernels = "precomputed", ...), sentence)
  refused(changed(NA, 5, 7), "x: kernel 2 has nan at row 5, column 7; every entry must be a finite number")
  refused(changed(-Inf, 5, 7), "x: kernel 2 has -inf at row 5, column 7")
  refused(changed(NA, 5, 7, names = c("a", "row 1, column 2", "c")), "x: the kernel 'row 1, column 2' has nan at row 5, column 7")
  for (psd in c("refuse", "clip")) {
    refused(changed(99, 5, 7), "x: kernel 2 is not symmetric: entry (5, 7) is 99 but entry (7, 5) is ", psd = psd)
    refused(changed(99, 7, 5), " but entry (7, 5) is 99; use (K + t(K))/2", psd = psd)
  }
  refused(changed(-99, 5, 5), "x: kernel 2 is not positive semi-definite: its diagonal entry 5 is -99; correct it")
  refused(changed(99, 5, 7, 7, 5), "|K(5, 7)| = 99 exceeds sqrt(K(5, 5) K(7, 7))")
  stack <- array(unlist(changed(NA, 5, 7)), c(40, 40, 3))
  refused(stack, "x: kernel 2 has nan at row 5, column 7")
  dimnames(stack) <- list(NULL, NULL, c("a", "b", "c"))
  refused(stack, "x: the kernel 'b' has nan at row 5, column 7")
})

test_that("entries of new rows that are no numbers are refused with their place", {
  fit <- spicy(K, y, kernels = "precomputed", alpha = "0.001max")
  expect_gt(length(fit$active), 1)
  new <- lapply(K, function(kernel) kernel[1:4, ])
  place <- fit$active[2]
  new[[place]][3, 7] <- NA
  expect_refusal(predict(fit, new), paste0("newdata: the kernel '", names(K)[place], "' has NA at row 3, column 7"))
  unnamed <- spicy(unname(K), y, kernels = "precomputed", alpha = "0.001max")
  expect_refusal(predict(unnamed, unname(new)), paste("newdata: kernel", place, "has NA at row 3, column 7"))
})

test_that("wrong formulas are refused", {
  frame <- data.frame(x, y = y)
  expect_refusal(spicymkl(~a, frame), "the formula has no left side")
  expect_refusal(spicymkl(y ~ 1, frame), "the formula has no right side")
  expect_refusal(spicymkl(y ~ a:b, frame), "the formula has the interaction a:b")
  expect_refusal(spicymkl(y ~ a + offset(b), frame), "the formula has an offset")
  expect_refusal(spicymkl(y ~ nothing, frame), "object 'nothing' not found")
  expect_refusal(spicymkl(y ~ a, list(y = y)), "data is of class list")
  expect_refusal(spicymkl(y ~ a + y, frame), "the formula has y on both sides")
  fit <- spicy(y ~ a + b, frame)
  expect_refusal(predict(fit, frame["a"]), "newdata: there is no column 'b'")
  expect_refusal(predict(fit, x), "the model was fitted by a formula; give a data frame")
  expect_refusal(predict(fit, frame, type = "prob"), "type is \"prob\", but it must be one of \"response\", \"class\"")
  expect_identical(predict(fit, frame, type = "resp"), predict(fit, frame))
  expect_refusal(coef(fit, "all"), "type is \"all\", but it must be one of \"weights\", \"norms\"")
  expect_refusal(plot(fit, "path"), "what is \"path\", but it must be one of \"weights\", \"sources\"")
})
