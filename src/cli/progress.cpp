#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace spicymkl::cli {

Progress::Progress(bool quiet) : on_(!quiet && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) std::fputs("\n", stderr);
}

void Progress::show(const Record& record, double tol) {
  if (!on_) return;
  shown_ = true;
  constexpr int kWidth = 24;
  // The bar runs from gap 1 to the tolerance on a log scale.
  const double done = std::clamp(std::log(std::max(record.gap, 1e-300)) / std::log(tol), 0.0, 1.0);
  const int filled = static_cast<int>(done * kWidth);
  fmt::print(stderr, "\r\x1b[Ktraining [{:#<{}}{:.<{}}] step {:>3}  gap {:8.2e}  {:>5} active kernels  {:.1f} s", "", filled, "",
             kWidth - filled, record.iteration, record.gap, record.n_active, record.seconds);
  std::fflush(stderr);
}

}  // namespace spicymkl::cli
