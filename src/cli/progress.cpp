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

void Progress::show(std::string_view what, const Record& record, double tol) {
  if (!on_) return;
  // The bar runs from gap 1 to the tolerance on a log scale.
  print(what, std::log(std::max(record.gap, 1e-300)) / std::log(tol),
        fmt::format("step {:>3}  gap {:8.2e}  {:>5} active kernels  {:.1f} s", record.iteration, record.gap,
                    record.n_active, record.seconds));
}

void Progress::count(std::string_view what, Index done, Index all) {
  if (!on_) return;
  print(what, static_cast<double>(done) / static_cast<double>(std::max<Index>(all, 1)),
        fmt::format("{} of {}", done, all));
}

void Progress::print(std::string_view what, double done, const std::string& text) {
  shown_ = true;
  constexpr int kWidth = 24;
  const int filled = static_cast<int>(std::clamp(done, 0.0, 1.0) * kWidth);
  fmt::print(stderr, "\r\x1b[K{} [{:#<{}}{:.<{}}] {}", what, "", filled, "", kWidth - filled, text);
  std::fflush(stderr);
}

FitProgress training_progress(Progress& progress, const Target& target, double tol) {
  return [&progress, &target, tol](Index number, const Record& record) {
    const Index n_fits = target.n_fits();
    progress.show(n_fits == 1 ? "training" : fmt::format("class {} of {}", number + 1, n_fits), record, tol);
    return true;
  };
}

}  // namespace spicymkl::cli
