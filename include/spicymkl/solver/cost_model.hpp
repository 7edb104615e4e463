// What the ways of solving a problem are expected to cost: entries read and flops, in seconds of one core of
// core/machine_speed.hpp.
#pragma once

#include <limits>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// All that the cost depends on.
struct ProblemOutline {
  Index n_samples = 0;  ///< rows
  Index n_outputs = 1;  ///< of a row
  Index n_kernels = 0;
  double mean_rank = 0;       ///< columns of a kernel's factor; as many as samples where it is kept as a matrix
  bool matrices = false;      ///< some kernels have no factor
  bool selects = false;       ///< the penalty leaves out most of many kernels
  bool smooth_dual = false;   ///< of the penalty
  bool weight_price = false;  ///< the penalty is a price of kernel weights
  bool bounds_norms = false;  ///< the penalty is a multiple of the norms, and its dual an upper bound on them
  bool svm_dual = false;      ///< of the loss
  bool smooth_loss = false;   ///< its conjugate has neither boundaries to reach nor kinks
  bool linear_dual = false;   ///< of the loss, which has several outputs
  bool smoothable = false;    ///< the loss has a smooth one beside it
  bool columns = false;       ///< kernels can be read column by column,
  bool set_columns = true;    ///< or at least those of a working set, in the form that the bank keeps these in
  bool mixtures = false;      ///< sums of kernels can be kept as matrices, and parts of these factored
  bool assembled = true;      ///< Newton systems of kernels that are not narrow are a matrix over the samples
  double work_bytes = std::numeric_limits<double>::infinity();  ///< that a solver may take
  bool warm = false;                                            ///< there is a start to begin from

  /// With fixed kernel weights SVMs are solved by columns or by mixtures and linear duals by one system, and the
  /// weights are few.
  bool allows_newton_on_weights() const {
    return selects && weight_price && ((svm_dual && (columns || mixtures)) || linear_dual);
  }
  /// Newton's method on the optimality conditions solves with one right-hand side per kernel in use.
  bool allows_kkt() const { return bounds_norms && smooth_loss && n_kernels > 0; }
  /// Whatever kernels are in use, Newton systems are of the size of their ranks.
  bool narrow() const { return 2 * mean_rank * static_cast<double>(n_kernels) < static_cast<double>(n_samples); }
  /// What is solved in its rounds.
  ProblemOutline inside_working_set() const;
  ProblemOutline on_samples(Index count) const;
  ProblemOutline from_a_start() const;
};

/// What the penalty and the loss say.
ProblemOutline outline_of(const Regularizer& regularizer, bool svm_dual);
/// Reads no kernel.
ProblemOutline outline_of(const Problem& problem, bool warm);

/// So many samples say nothing of the others; n of them leave kTooFew/n of the work.
inline constexpr double kTooFew = 90;
/// A part of the samples is one in so many.
inline constexpr Index kPart = 4;

/// Whether Newton's method on the optimality conditions has room for a matrix over the samples, where one is made, and
/// for a dozen columns per kernel and output.
bool has_room_for_kkt(const ProblemOutline& problem);

/// One reading of every kernel.
double pass_seconds(const ProblemOutline& problem);
/// To the answer over all kernels: Newton's method on the samples, as of the proximal loop and of one-step
/// optimisation, and on the kernel weights.
double newton_on_samples_seconds(const ProblemOutline& problem);
double newton_on_weights_seconds(const ProblemOutline& problem);
/// The cheaper one of those that the problem allows.
double method_seconds(const ProblemOutline& problem);
/// The readings of all kernels that a working set takes, and with what is solved inside it.
double rounds_seconds(const ProblemOutline& problem);
double working_set_seconds(const ProblemOutline& problem);
/// The cheaper one of a working set and all kernels.
double kernels_seconds(const ProblemOutline& problem);
/// To cut a part of the samples out of the kernels and solve it.
double part_seconds(const ProblemOutline& problem);
/// Of the work for all samples, what is left to do after that, from 0 to 1.
double left_after_part(const ProblemOutline& problem);
/// Kernels of a sample that tells what the sum over so many is like.
Index n_in_sample(Index n_kernels);
/// To solve with such a sample, and what is left to do after that.
double kernel_sample_seconds(const ProblemOutline& problem);
double left_after_kernel_sample(const ProblemOutline& problem);

}  // namespace spicymkl
