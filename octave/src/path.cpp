#include "spicymkl/selection/path.hpp"

#include "functions.hpp"
#include "grid_rules.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "models.hpp"
#include "notes.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/model/outputs.hpp"

namespace spicymkl::octave {

namespace {

struct Paths {
  std::vector<std::vector<Fit>> points;  ///< the fits of each; all have the points of the one that got least far
  Eigen::RowVectorXd alpha_max;          ///< of each fit
};

Paths solve(const TrainingInput& input, TrainingPlan plan, const AlphaGrid& grid) {
  plan.sample_weights = input.sample_weights;
  Paths paths{std::vector<std::vector<Fit>>(grid.values.size()), Eigen::RowVectorXd(input.target.n_fits())};
  for (Index f = 0; f < input.target.n_fits(); ++f) {
    FitPath path = train_path(input.bank, input.exact, input.target, f, plan, grid);
    paths.alpha_max(f) = path.alpha_max;
    paths.points.resize(std::min(paths.points.size(), path.fits.size()));
    for (std::size_t p = 0; p < paths.points.size(); ++p) paths.points[p].push_back(std::move(path.fits[p]));
  }
  return paths;
}

/// What `row` makes of the fits of each point, one below the other.
template <class Row>
Matrix table_of(const Paths& paths, const Row& row) {
  Matrix table(std::ssize(paths.points), row(paths.points.front()).size());
  for (Index p = 0; p < table.rows(); ++p) table.row(p) = row(paths.points[static_cast<std::size_t>(p)]);
  return table;
}

/// One value of each fit: points × fits.
template <class Value>
Matrix values_of(const Paths& paths, const Value& value) {
  return table_of(paths, [&](const std::vector<Fit>& fits) { return row_of(fits, value); });
}

/// What `columns` makes of the fits of each point: rows × points × columns.
template <class Columns>
mxArray* cube_of(const Paths& paths, const Columns& columns) {
  const Matrix first = columns(paths.points.front());
  const Index rows = first.rows(), n_points = std::ssize(paths.points);
  mxArray* cube = from_shape({rows, n_points, first.cols()});
  for (Index p = 0; p < n_points; ++p) {
    const Matrix of_point = columns(paths.points[static_cast<std::size_t>(p)]);
    for (Index c = 0; c < of_point.cols(); ++c)
      Eigen::Map<Vector>(mxGetPr(cube) + (c * n_points + p) * rows, rows) = of_point.col(c);
  }
  return cube;
}

mxArray* from_paths(const Paths& paths, const TrainingInput& input) {
  const Index M = input.bank->n_kernels();
  std::vector<std::string> names;
  for (Index m = 0; m < M; ++m) names.push_back(input.bank->name(m));
  return NewStruct()
      .set("alphas", values_of(paths, [](const Fit& fit) { return fit.problem.alpha; }))
      .set("alpha_max", paths.alpha_max)
      .set("kernel_names", from_texts(names))
      .set("kernel_weights", cube_of(paths, [&](const auto& fits) { return weights_of(fits, M); }))
      .set("coef_scales", cube_of(paths, [&](const auto& fits) { return scales_of(fits, M); }))
      .set("duals", cube_of(paths, duals_of))
      .set("intercepts", table_of(paths, intercepts_of))
      .set("primal_objectives", values_of(paths, [](const Fit& fit) { return fit.certificate.primal; }))
      .set("duality_gaps", values_of(paths, [](const Fit& fit) { return fit.certificate.relative_gap; }))
      .set("n_active",
           values_of(paths, [](const Fit& fit) { return static_cast<double>(fit.expansion.kernels.size()); }))
      .array();
}

}  // namespace

Outputs path(Arguments arguments) {
  GivenOptions given(arguments[2], "spicymkl_path");
  PathOptions choices;
  given.read(path_option_table(), choices);
  const LearningOptions options = read_learning_options(given, {"alpha"});
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
  if (paths.points.empty()) throw InputError("max_seconds was over before the first point was done; raise it");
  std::vector<std::string> notes = notes_of(input);
  if (paths.points.size() < grid.values.size())
    notes.push_back("max_seconds was over before all points were done; those that were are returned");
  for (const std::vector<Fit>& fits : paths.points) add_unconverged(fits, options.problem.tol, notes);
  return {from_paths(paths, input), from_texts(notes)};
}

}  // namespace spicymkl::octave
