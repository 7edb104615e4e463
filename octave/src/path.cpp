#include "spicymkl/selection/path.hpp"

#include "functions.hpp"
#include "grid_rules.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "models.hpp"
#include "notes.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::octave {

namespace {

/// Of every problem, its path; all have the points of the one that got least far.
struct Paths {
  std::vector<FitPath> of_fits;
  Index n_points = 0;
};

Paths solve(const TrainingInput& input, TrainingPlan plan, const AlphaGrid& grid) {
  plan.sample_weights = input.sample_weights;
  Paths paths;
  paths.n_points = std::ssize(grid.values);
  for (Index f = 0; f < input.target.n_fits(); ++f) {
    paths.of_fits.push_back(train_path(input.bank, input.exact, input.target, f, plan, grid));
    paths.n_points = std::min(paths.n_points, std::ssize(paths.of_fits.back().fits));
  }
  return paths;
}

const Fit& fit_of(const Paths& paths, Index point, Index number) {
  return paths.of_fits[static_cast<std::size_t>(number)].fits[static_cast<std::size_t>(point)];
}

/// points × fits
template <class Value>
Matrix table_of(const Paths& paths, const Value& value) {
  Matrix table(paths.n_points, std::ssize(paths.of_fits));
  for (Index f = 0; f < table.cols(); ++f)
    for (Index p = 0; p < table.rows(); ++p) table(p, f) = value(fit_of(paths, p, f));
  return table;
}

/// `rows` × points × fits
template <class Column>
mxArray* cube_of(const Paths& paths, Index rows, const Column& column) {
  mxArray* cube = from_shape({rows, paths.n_points, std::ssize(paths.of_fits)});
  double* at = mxGetPr(cube);
  for (Index f = 0; f < std::ssize(paths.of_fits); ++f)
    for (Index p = 0; p < paths.n_points; ++p, at += rows) Eigen::Map<Vector>(at, rows) = column(fit_of(paths, p, f));
  return cube;
}

mxArray* from_paths(const Paths& paths, const TrainingInput& input) {
  const Index M = input.bank->n_kernels();
  std::vector<std::string> names;
  for (Index m = 0; m < M; ++m) names.push_back(input.bank->name(m));
  Eigen::RowVectorXd alpha_max(std::ssize(paths.of_fits));
  for (Index f = 0; f < alpha_max.size(); ++f) alpha_max(f) = paths.of_fits[static_cast<std::size_t>(f)].alpha_max;
  return NewStruct()
      .set("alphas", table_of(paths, [](const Fit& fit) { return fit.problem.alpha; }))
      .set("alpha_max", alpha_max)
      .set("kernel_names", from_texts(names))
      .set("kernel_weights", cube_of(paths, M, [&](const Fit& fit) { return fit.weights(M); }))
      .set("coef_scales", cube_of(paths, M, [&](const Fit& fit) { return spread(fit, fit.expansion.scale, M); }))
      .set("duals", cube_of(paths, input.bank->n_samples(), [](const Fit& fit) { return fit.expansion.dual; }))
      .set("intercepts", table_of(paths, [](const Fit& fit) { return fit.intercept(); }))
      .set("primal_objectives", table_of(paths, [](const Fit& fit) { return fit.certificate.primal; }))
      .set("duality_gaps", table_of(paths, [](const Fit& fit) { return fit.certificate.relative_gap; }))
      .set("n_active",
           table_of(paths, [](const Fit& fit) { return static_cast<double>(fit.expansion.kernels.size()); }))
      .array();
}

}  // namespace

Outputs path(Arguments arguments) {
  GivenOptions given(arguments[2], "spicymkl_path");
  PathOptions choices;
  given.read(path_option_table(), choices);
  const LearningOptions options = read_learning_options(given, "alpha");
  given.finish();
  const Watch watch = make_watch(options.problem.max_seconds);
  TrainingPlan plan = check_options(options);
  refuse_unused(options, alpha_rules(choices));
  refuse_unused(options, {{{"memory"}, options.from_table(), "with precomputed kernels, which are in memory"}});
  const AlphaGrid grid = make_alpha_grid(choices);
  watch_with(watch, plan);
  const TrainingInput input = make_input(read_data(arguments[0], arguments[1], options, watch), options, plan,
                                         static_cast<double>(grid.values.size()));
  const Paths paths = solve(input, plan, grid);
  check_interrupted();
  if (paths.n_points == 0) throw InputError("max_seconds was over before the first point was done; raise it");
  std::vector<std::string> notes = notes_of(input);
  if (paths.n_points < std::ssize(grid.values))
    notes.push_back("max_seconds was over before all points were done; those that were are returned");
  for (const FitPath& one : paths.of_fits) add_unconverged(one.fits, options.problem.tol, notes);
  return {from_paths(paths, input), from_texts(notes)};
}

}  // namespace spicymkl::octave
