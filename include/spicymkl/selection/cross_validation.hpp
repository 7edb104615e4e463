// Which strength of the penalty, and which shape of it, predicts best on rows that were not learned from.
#pragma once

#include <algorithm>

#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/selection/alpha_grid.hpp"
#include "spicymkl/selection/dataset.hpp"
#include "spicymkl/selection/folds.hpp"
#include "spicymkl/selection/measure.hpp"

namespace spicymkl {

/// What is tried: every alpha with every l1_ratio, every q and all kernels.
struct CvGrid {
  AlphaGrid alphas;
  std::vector<double> l1_ratios;          ///< elasticnet, mixed; empty: that of the plan alone
  std::vector<double> qs;                 ///< blockq, mixed; empty: that of the plan alone
  std::vector<std::string> kernels = {};  ///< lists of a table; empty: that of the data set alone
  bool may_end_early = false;             ///< a fold leaves out the alphas after its scores have clearly got worse

  std::size_t n_points() const {
    const auto count = [](const auto& values) { return std::max<std::size_t>(1, values.size()); };
    return alphas.values.size() * count(l1_ratios) * count(qs) * count(kernels);
  }
};

struct CvOptions {
  Metric metric = Metric::accuracy;
  bool one_standard_error = false;
  int threads = 0;    ///< 0: all cores
  double memory = 0;  ///< bytes for kernels, all folds together; 0: half of what is free
  int at_once = 0;    ///< folds that are learned side by side; 0: as many as pay
};

/// One combination that was tried.
struct CvPoint {
  double alpha = 0;  ///< as in the grid: a multiple of alpha_max, or as it is
  double l1_ratio = 0;
  double q = 0;
  std::vector<double> scores;  ///< one per fold; NaN where the fold left it out or was stopped before it
  double mean = 0;             ///< NaN unless every fold has a score, as the three below
  double standard_error = 0;   ///< of the mean over folds
  double n_active = 0;         ///< kernels, mean over folds and classes
  std::string kernels = {};    ///< as in the grid; empty: those of the data set
  double familiar = 0;         ///< mean of the familiar metric over folds; NaN where one does not define it

  bool complete() const { return mean == mean; }
};

/// Works out mean and standard error from the scores.
void average(CvPoint& point);

struct CrossValidation {
  Metric metric = Metric::accuracy;    ///< by which the choice was made
  Metric familiar = Metric::accuracy;  ///< to be read beside it
  std::string other_score;      ///< the name of a score that is none of the metrics, larger is better; empty: none
  bool relative = true;         ///< alphas are multiples of alpha_max
  std::vector<CvPoint> points;  ///< by kernels, l1_ratio, q, then decreasing alpha
  std::size_t best = 0;         ///< the best mean; of equal ones the first, which has the larger alpha
  /// The largest alpha whose mean is within one standard error of the best, with the kernels, l1_ratio and q of the
  /// best.
  std::size_t one_standard_error = 0;
  std::size_t chosen = 0;   ///< one of the two, as the options say
  Index n_unconverged = 0;  ///< fits of folds that missed the tolerance
  bool complete = true;     ///< false: stopped
  Index n_scored = 0;       ///< points that every fold has scored, among which the choice is; 0: there is none

  const CvPoint& choice() const { return points[chosen]; }
  /// Whether the familiar metric is known of the choice, and another one than it was made by.
  bool has_familiar() const {
    return choice().familiar == choice().familiar && (familiar != metric || !other_score.empty());
  }
  /// Whether two points differ in nothing but alpha.
  static bool same_shape(const CvPoint& a, const CvPoint& b) {
    return a.kernels == b.kernels && a.l1_ratio == b.l1_ratio && a.q == b.q;
  }
  std::string score_name() const;
  bool larger_is_better() const;
};

/// Learns a path of alphas on the training rows of every fold and scores it on its test rows. A relative alpha is a
/// multiple of the alpha_max of each fold's own training rows. Fits are solved as plan_to_score says. Folds run side by
/// side where that is faster than threads inside each; the answer depends on the arguments alone. Of the plan, alpha is
/// replaced by the grid. The watch of the settings is asked by all threads; when it stops them, what was scored is
/// kept.
CrossValidation cross_validate(const Dataset& data, const std::vector<Fold>& folds, const TrainingPlan& plan,
                               const CvGrid& grid, const CvOptions& options);

/// The plan of fits that are scored and forgotten: ten times the tolerance, which changes scores by less than they
/// differ.
TrainingPlan plan_to_score(TrainingPlan plan);
/// How well the kernels of such a plan are approximated, relative to their traces: by a part of the tolerance.
double rank_tolerance_to_score(const TrainingPlan& plan);

/// Points that are learned before they are scored: the kernels of the test rows are computed for all of them.
inline constexpr Index kScoredTogether = 2;

/// The plan that trains what was chosen on all rows.
TrainingPlan chosen_plan(const CrossValidation& result, TrainingPlan plan);

/// Throws InputError for a grid that the penalty cannot use, or values out of range.
void check(const CvGrid& grid, const TrainingPlan& plan);

}  // namespace spicymkl
