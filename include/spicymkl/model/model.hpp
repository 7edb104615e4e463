// What is kept of a training run, and the file it lives in.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/solver/result.hpp"

namespace spicymkl {

/// The problem that was solved, in the words of the command line and of Python.
struct ProblemDescription {
  std::string loss = "logistic";
  std::string penalty = "block1";
  double alpha = 0;
  double l1_ratio = 0.5;
  double q = 1.5;
  double epsilon = 0.1;
  double quantile = 0.5;
  bool fit_intercept = true;

  std::shared_ptr<const Loss> make_loss() const;
  std::shared_ptr<const Regularizer> make_regularizer() const;
};

struct Model {
  static constexpr int kFormatVersion = 1;

  ProblemDescription problem;
  Index n_samples = 0;
  std::vector<std::string> kernel_names;  ///< of all M kernels
  Vector sample_weights;                  ///< empty when all are 1
  double tol = 0;

  Expansion expansion;
  Certificate certificate;
  std::string status;
  std::string message;
  int iterations = 0;
  int newton_steps = 0;
  double seconds = 0;        ///< training alone: from kernels in memory to the certified answer
  double seconds_input = 0;  ///< reading and checking the input

  Index n_kernels() const { return static_cast<Index>(kernel_names.size()); }
  /// Weight d_m of each active kernel, in the order of the expansion.
  Vector active_weights() const;
};

/// The model of a finished run.
Model make_model(const Problem& problem, const ProblemDescription& description, double tol, Result result);

/// One safetensors file: tensors, and a JSON header with format version, problem, kernel names and certificate summary.
std::string to_bytes(const Model& model);
/// An unreadable, truncated, foreign or newer file is an InputError that says so.
Model load_model(const std::string& path);

/// The certificate of DESIGN section 3: enough for anyone with the Gram matrices to recompute primal, dual and gap.
std::string certificate_json(const Model& model);

}  // namespace spicymkl
