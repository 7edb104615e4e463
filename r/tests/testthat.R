library(testthat)
library(spicymkl)

test_check("spicymkl")
