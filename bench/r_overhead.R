# What a call from R costs beside the library's own work, at N samples and M kernels in memory:
#   R_LIBS=build/r Rscript bench/r_overhead.R [N M]        after ./dev r
# Of five calls, the whole time of each, and the part that the library was not at work.
library(spicymkl)
sizes <- as.integer(commandArgs(trailingOnly = TRUE))
if (length(sizes) != 2L) sizes <- c(1000L, 100L)
N <- sizes[1L]
M <- sizes[2L]
set.seed(1)
x <- matrix(rnorm(N * M), N)
y <- factor(sign(x[, 1L] + x[, 2L] * x[, 3L] + 0.5 * rnorm(N)))
K <- lapply(seq_len(M), function(m) exp(-outer(x[, m], x[, m], "-")^2 / 2))
for (k in 1:5) {
  whole <- system.time(fit <- spicymkl(K, y, kernels = "precomputed"))[["elapsed"]]
  library <- fit$seconds + fit$seconds_input
  cat(sprintf("%.4f s, of them %.2f %% not in the library (training %.4f s, checks %.4f s)\n", whole,
              100 * (whole - library) / whole, fit$seconds, fit$seconds_input))
}
