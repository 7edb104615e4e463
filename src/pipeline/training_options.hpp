// Every option of training, in one struct and one table.
#pragma once

#include "core/option_table.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl {

struct ProblemOptions {
  std::string task = "auto";
  std::string loss = "auto";
  std::string multi_class = "auto";
  std::string multi_output = "joint";
  std::string penalty = ProblemDescription{}.penalty;
  std::string alpha = kDefaultAlpha;
  double l1_ratio = ProblemDescription{}.l1_ratio;
  double q = ProblemDescription{}.q;
  double epsilon = ProblemDescription{}.epsilon;
  double quantile = ProblemDescription{}.quantile;
  bool fit_intercept = ProblemDescription{}.fit_intercept;
  double tol = Settings{}.tol;
  int max_iter = Settings{}.max_iter;
  double max_seconds = Settings{}.max_seconds;
  std::string solver = "auto";
  int threads = 0;
};

/// Which kernels to compute from a table.
struct KernelOptions {
  std::string kernels = KernelChoice{}.spec;
  std::string groups;
  std::string impute;
  std::string missing_view = std::string(name_of(Views{}.missing));
  bool standardize = KernelChoice{}.standardize;
  std::uint64_t seed = KernelChoice{}.seed;
  std::string features = "auto";
  std::string memory;
  std::string device = "cpu";
};

const OptionTable<ProblemOptions>& problem_option_table();
const OptionTable<KernelOptions>& kernel_option_table();

/// The losses that go by their own names. That of all classes at once goes by multi_class.
std::vector<LossType> losses_to_choose();

/// What the options ask for. What can be known to be wrong before any work is an InputError.
TrainingPlan make_plan(const ProblemOptions& options);
TablePlan make_table_plan(const KernelOptions& options, int threads);

/// A count below 0 is an InputError.
void check_threads(int threads);

/// "8G", "500M", "64k" (powers of 1024), or plain bytes; 0 for an empty string.
double parse_bytes(const std::string& text);

}  // namespace spicymkl
