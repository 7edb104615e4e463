#include "affordable_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/quantity_text.hpp"

namespace spicymkl {

namespace {

constexpr double kAffordable = 120;  // seconds

/// Which of the kernels on single columns are kept.
enum class Columns { all, simple, none };

bool is_alone(const FittedKernel& kernel) { return kernel.spec().columns.size() == 1; }

/// One number per row determines the kernel.
bool is_simple(const FittedKernel& kernel) {
  return kernel.base() == Base::inner_product || kernel.base() == Base::matches;
}

bool is_kept(const FittedKernel& kernel, Columns columns) {
  return !is_alone(kernel) || columns == Columns::all || (columns == Columns::simple && is_simple(kernel));
}

double cost(const TrainingTable& training, Columns columns, const BankOptions& options) {
  std::vector<KernelOutline> outlines;
  for (std::size_t m = 0; m < training.kernels.size(); ++m)
    if (is_kept(training.kernels[m], columns)) outlines.push_back(training.outlines[m]);
  const BankPlan plan = plan_bank(training.samples->n_rows(), std::move(outlines), options);
  return plan.build_seconds + options.expected_passes * plan.pass_seconds;
}

/// Bytes that these kernels would take where they are not computed on the fly.
double bytes_left_out(const TrainingTable& training, Columns columns) {
  const auto n = static_cast<double>(training.samples->n_rows());
  double sum = 0;
  for (std::size_t m = 0; m < training.kernels.size(); ++m)
    if (!is_kept(training.kernels[m], columns))
      sum += sizeof(double) * n * (training.outlines[m].rank > 0 ? static_cast<double>(training.outlines[m].rank) : n);
  return sum;
}

void drop(TrainingTable& training, Columns columns) {
  std::vector<FittedKernel> kernels;
  std::vector<KernelOutline> outlines;
  for (std::size_t m = 0; m < training.kernels.size(); ++m) {
    if (!is_kept(training.kernels[m], columns)) continue;
    kernels.push_back(std::move(training.kernels[m]));
    outlines.push_back(training.outlines[m]);
  }
  training.kernels = std::move(kernels);
  training.outlines = std::move(outlines);
}

std::string remark(const TrainingTable& training, Columns columns, double seconds, const BankOptions& options) {
  std::set<Index> alone;
  for (const FittedKernel& kernel : training.kernels)
    if (is_alone(kernel)) alone.insert(kernel.spec().columns.front());
  return fmt::format("auto: {} columns: {}; {} would take about {} and {} with --memory {}", alone.size(),
                     columns == Columns::simple ? "on single columns only linear and overlap kernels"
                                                : "only kernels on all columns together",
                     columns == Columns::simple ? "Gaussians on them" : "kernels on single columns",
                     bytes_text(bytes_left_out(training, columns)), duration_text(seconds), bytes_text(options.memory));
}

}  // namespace

void keep_affordable_columns(TrainingTable& training, const BankOptions& options) {
  if (std::none_of(training.kernels.begin(), training.kernels.end(), [](const auto& k) { return !is_alone(k); }))
    return;  // a table of one column: its kernels are those on all columns
  const BankOptions known = with_known_memory(options);
  const double joint = cost(training, Columns::none, known), whole = cost(training, Columns::all, known);
  const double most = joint + std::max(kAffordable, joint);
  if (whole <= most) return;
  const Columns kept = cost(training, Columns::simple, known) <= most ? Columns::simple : Columns::none;
  training.remarks.push_back(remark(training, kept, whole - joint, known));
  drop(training, kept);
}

}  // namespace spicymkl
