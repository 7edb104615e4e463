// Fits, paths and cross-validations, as the R code calls them.
#include <chrono>

#include "learning.hpp"
#include "models.hpp"
#include "options.hpp"
#include "selection/grid_edge.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/cross_validation.hpp"
#include "spicymkl/selection/path.hpp"

namespace spicymkl::r {

namespace {

using Rcpp::_;

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

TrainedModel train(const TrainingInput& input, TrainingPlan plan, const Stopwatch& since_call) {
  TrainedModel trained = train_model(input, std::move(plan));
  trained.model.seconds_input = since_call.seconds() - trained.model.seconds();
  return trained;
}

/// Weights or norms of every kernel along a path: kernels × points.
template <class Values>
Rcpp::NumericMatrix along(const FitPath& path, Index n_kernels, const Values& values) {
  Matrix all = Matrix::Zero(n_kernels, std::ssize(path.fits));
  for (Index k = 0; k < all.cols(); ++k) {
    const Vector active = values(path.fits[k]);
    const std::vector<Index>& kernels = path.fits[k].expansion.kernels;
    for (Index a = 0; a < std::ssize(kernels); ++a) all(kernels[a], k) = active(a);
  }
  return to_r(all);
}

template <class Value>
Rcpp::NumericVector points(const FitPath& path, const Value& value) {
  Rcpp::NumericVector values;
  for (const Fit& fit : path.fits) values.push_back(static_cast<double>(value(fit)));
  return values;
}

/// Points × outputs.
Rcpp::NumericMatrix intercepts(const FitPath& path, Index n_outputs) {
  Matrix all(std::ssize(path.fits), n_outputs);
  for (Index k = 0; k < all.rows(); ++k)
    for (Index c = 0; c < n_outputs; ++c) all(k, c) = path.fits[k].intercept(c);
  return to_r(all);
}

Rcpp::List path_list(const FitPath& path, Index n_kernels, Index n_outputs) {
  return Rcpp::List::create(
      _["alpha_max"] = path.alpha_max, _["alphas"] = points(path, [](const Fit& fit) { return fit.problem.alpha; }),
      _["weights"] = along(path, n_kernels, [](const Fit& fit) { return fit.active_weights(); }),
      _["norms"] = along(path, n_kernels, [](const Fit& fit) { return fit.certificate.norms; }),
      _["intercepts"] = intercepts(path, n_outputs),
      _["primal"] = points(path, [](const Fit& fit) { return fit.certificate.primal; }),
      _["gaps"] = points(path, [](const Fit& fit) { return fit.certificate.relative_gap; }),
      _["n_active"] = points(path, [](const Fit& fit) { return std::ssize(fit.expansion.kernels); }),
      _["complete"] = path.complete);
}

/// The folds of fold numbers from 1, one per row; without any, those that the options ask for.
std::vector<Fold> read_folds(const Rcpp::IntegerVector& foldid, const Target& target, const Learning& learning,
                             const CvChoices& choices) {
  if (foldid.size() == 0) return make_folds(target, choices.folds, learning.kernels.seed);
  std::vector<Fold> folds(static_cast<std::size_t>(Rcpp::max(foldid)));
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (R_xlen_t i = 0; i < foldid.size(); ++i)
      (foldid[i] == static_cast<int>(f) + 1 ? folds[f].test : folds[f].training).push_back(i);
  check_folds(folds, foldid.size());
  return folds;
}

CvGrid read_grid(const Learning& learning, const CvChoices& choices) {
  if (!learning.table) return make_cv_grid(choices, learning.plan, {});
  const bool has_sources = !learning.kernels.groups.empty() || learning.table->views.several();
  const Index n_categorical =
      std::ranges::count_if(learning.table->categories, [](const auto& texts) { return !texts.empty(); });
  CvGrid grid = make_cv_grid(choices, learning.plan, presets_to_try(learning.kernels.kernels, has_sources));
  grid.kernels = distinct_presets(std::move(grid.kernels), std::ssize(learning.table->columns), n_categorical);
  if (grid.kernels.size() == 1) grid.kernels.clear();  // there is nothing to choose: those of the options
  return grid;
}

Rcpp::DataFrame points_frame(const CrossValidation& result) {
  Rcpp::NumericVector alpha, l1_ratio, q, mean, error, n_active, familiar;
  std::vector<std::string> kernels;
  for (const CvPoint& point : result.points) {
    alpha.push_back(point.alpha);
    kernels.push_back(point.kernels);
    l1_ratio.push_back(point.l1_ratio);
    q.push_back(point.q);
    mean.push_back(point.mean);
    error.push_back(point.standard_error);
    n_active.push_back(point.n_active);
    familiar.push_back(point.familiar);
  }
  return Rcpp::DataFrame::create(_["alpha"] = alpha, _["kernels"] = to_r(kernels), _["l1_ratio"] = l1_ratio, _["q"] = q,
                                 _["mean"] = mean, _["se"] = error, _["n_active"] = n_active, _["familiar"] = familiar,
                                 _["stringsAsFactors"] = false);
}

Rcpp::NumericMatrix fold_scores(const CrossValidation& result, std::size_t n_folds) {
  Matrix scores(std::ssize(result.points), static_cast<Index>(n_folds));
  for (Index p = 0; p < scores.rows(); ++p)
    for (Index f = 0; f < scores.cols(); ++f) scores(p, f) = result.points[p].scores[f];
  return to_r(scores);
}

std::string edge_name(GridEdge edge) {
  return edge == GridEdge::none ? "" : edge == GridEdge::smallest ? "smallest" : "largest";
}

Rcpp::List cv_list(const CrossValidation& result, const std::vector<Fold>& folds, Index n_rows) {
  Rcpp::IntegerVector foldid(n_rows);
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const Index row : folds[f].test) foldid[row] = static_cast<int>(f) + 1;
  return Rcpp::List::create(
      _["points"] = points_frame(result), _["scores"] = fold_scores(result, folds.size()), _["foldid"] = foldid,
      _["metric"] = std::string(name_of(result.metric)), _["familiar"] = std::string(name_of(result.familiar)),
      _["relative"] = result.relative, _["larger_is_better"] = result.larger_is_better(),
      _["best"] = static_cast<int>(result.best) + 1,
      _["one_standard_error"] = static_cast<int>(result.one_standard_error) + 1,
      _["chosen"] = static_cast<int>(result.chosen) + 1, _["n_unconverged"] = static_cast<int>(result.n_unconverged),
      _["edge"] = edge_name(edge_of(result)));
}

}  // namespace

}  // namespace spicymkl::r

using namespace spicymkl;
using namespace spicymkl::r;

// [[Rcpp::export]]
Rcpp::List train_on(const Rcpp::List& data, const Rcpp::List& y, const Rcpp::List& options) {
  const Stopwatch clock;
  const FitWatch watch(max_seconds(options));
  Learning learning = watch.run([&] { return read_learning(data, y, options, watch); });
  const TrainingPlan plan = learning.plan;
  const TrainingInput input = watch.run([&] { return learning.take_input(1); });
  const TrainedModel trained = watch.run([&] { return train(input, plan, clock); });
  Rcpp::List list = model_list(trained.model, trained.histories);
  list.push_back(to_r(notes(input)), "notes");
  list.push_back(to_r(learning.cautions), "cautions");
  return list;
}

// [[Rcpp::export]]
Rcpp::List path_on(const Rcpp::List& data, const Rcpp::List& y, const Rcpp::List& options) {
  const FitWatch watch(max_seconds(options));
  const AlphaGrid grid = make_alpha_grid(read_options(path_option_table(), options));
  Learning learning = watch.run([&] { return read_learning(data, y, options, watch); });
  TrainingPlan plan = learning.plan;
  const TrainingInput input = watch.run([&] { return learning.take_input(static_cast<double>(grid.values.size())); });
  plan.sample_weights = input.sample_weights;
  Rcpp::List paths;
  for (Index f = 0; f < input.target.n_fits(); ++f)
    paths.push_back(
        path_list(watch.run([&] { return train_path(input.bank, input.exact, input.target, f, plan, grid); }),
                  input.bank->n_kernels(), input.target.n_outputs()));
  std::vector<std::string> names;
  for (Index m = 0; m < input.bank->n_kernels(); ++m) names.push_back(input.bank->name(m));
  return Rcpp::List::create(Rcpp::_["paths"] = paths, Rcpp::_["kernels"] = to_r(names),
                            Rcpp::_["classes"] = to_r(input.target.classes), Rcpp::_["loss"] = input.target.loss,
                            Rcpp::_["penalty"] = plan.problem.penalty,
                            Rcpp::_["n_points"] = static_cast<int>(grid.values.size()),
                            Rcpp::_["notes"] = to_r(notes(input)), Rcpp::_["cautions"] = to_r(learning.cautions));
}

// [[Rcpp::export]]
Rcpp::List cross_validate_on(const Rcpp::List& data, const Rcpp::List& y, const Rcpp::List& options,
                             const Rcpp::IntegerVector& foldid) {
  const Stopwatch clock;
  const FitWatch watch(max_seconds(options));
  const CvChoices choices = read_options(cv_option_table(), options);
  check_fold_count(choices.folds);
  check_metric_name(choices.metric);
  Learning learning = watch.run([&] { return read_learning(data, y, options, watch); });
  const TrainingPlan plan = learning.plan;
  const CvGrid grid = read_grid(learning, choices);
  const Target target = learning.target;
  const std::vector<Fold> folds = read_folds(foldid, target, learning, choices);
  CvOptions how;
  how.metric = choose_metric(choices.metric, target);
  how.one_standard_error = choices.one_standard_error;
  how.threads = learning.problem.threads;
  how.memory = parse_bytes(learning.kernels.memory);
  const Share share{how.threads, how.memory};
  const auto dataset = learning.take_dataset(static_cast<double>(grid.alphas.values.size()));
  const CrossValidation result = watch.run([&] { return cross_validate(*dataset, folds, plan, grid, how); });
  if (!result.complete)
    throw InputError(
        "max_seconds was over before all folds were done, so that nothing can be chosen; raise it, or try fewer alphas "
        "or folds");
  const auto rows =
      watch.run([&] { return dataset->learn_from(all_kernels(target.n_rows()), share, result.choice().kernels); });
  const TrainedModel trained = watch.run([&] { return train(rows->input(), chosen_plan(result, plan), clock); });
  Rcpp::List fit = model_list(trained.model, trained.histories);
  fit.push_back(to_r(notes(rows->input())), "notes");
  fit.push_back(to_r(learning.cautions), "cautions");
  return Rcpp::List::create(Rcpp::_["fit"] = fit, Rcpp::_["cv"] = cv_list(result, folds, target.n_rows()));
}
