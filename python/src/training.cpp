#include "training.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>

#include "objective.hpp"
#include "spicymkl/pipeline/training_options.hpp"
#include "spicymkl/selection/path.hpp"
#include "spicymkl/selection/selection_options.hpp"
#include "training_kernels.hpp"

namespace spicymkl::python {

namespace {

/// Lets Ctrl-C through while the interpreter's lock is released, and shows progress. What Python raises ends the run as
/// soon as that is safe, and is raised again by finish.
class Watch {
 public:
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}

  bool stop_requested() {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (error_ || now - last_look_ < 50ms) return error_.has_value();
    last_look_ = now;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) error_.emplace();
    return error_.has_value();
  }

  bool show(Index step, double gap, Index n_active) {
    if (error_) return false;
    if (progress_.is_none()) return true;
    const nb::gil_scoped_acquire lock;
    try {
      progress_(step, gap, n_active);
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
    }
    return !error_;
  }

  void finish() {
    if (error_) throw nb::python_error(std::move(*error_));
  }

 private:
  nb::object progress_;
  std::chrono::steady_clock::time_point last_look_ = std::chrono::steady_clock::now();
  std::optional<nb::python_error> error_;
};

/// Of a training run, in Python's words.
struct Limits {
  double tol;
  int max_iter;
  double max_seconds;  ///< 0: no limit
  SolverKind solver;

  Settings settings() const {
    Settings settings;
    settings.tol = tol;
    settings.max_iter = max_iter;
    settings.max_seconds = max_seconds;
    settings.solver = solver;
    return settings;
  }
  Settings settings(Watch& watch) const {
    Settings watched = settings();
    watched.watch = spicymkl::Watch::asking([&watch] { return watch.stop_requested(); });
    return watched;
  }
};

Vector weights_of(const Regularizer& regularizer, const Vector& norms) {
  return norms.unaryExpr([&](double norm) { return regularizer.weight(norm); });
}

/// The values of a field of every record.
template <class Field>
Vector column(const History& history, Field field) {
  Vector values(static_cast<Index>(history.size()));
  for (std::size_t k = 0; k < history.size(); ++k)
    values(static_cast<Index>(k)) = static_cast<double>(history[k].*field);
  return values;
}

TrainedProblem keep(const Regularizer& regularizer, const Objective& objective, const std::string& positive_class,
                    Result result) {
  TrainedProblem trained;
  trained.weights = weights_of(regularizer, result.certificate.norms);
  trained.history = std::move(result.history);
  trained.warm_start = std::move(result.warm_start);
  trained.fit = make_fit(positive_class, objective.description(regularizer.alpha()), std::move(result));
  return trained;
}

TrainedProblem train(const TrainingInput& kernels, const VectorIn& labels, const VectorIn& weights,
                     const Objective& objective, const Limits& limits, const std::string& positive_class,
                     nb::object progress, const TrainedProblem* start) {
  Watch watch(std::move(progress));
  Settings settings = limits.settings(watch);
  settings.callback = [&watch](const Record& r) { return watch.show(r.iteration, r.gap, r.n_active); };
  const Problem problem = objective.make_problem(kernels.bank, to_vector(labels), to_vector(weights));
  Result result;
  {
    const nb::gil_scoped_release unlocked;
    result = train_problem(problem, kernels.exact, settings, start != nullptr ? start->warm_start : WarmStart{});
  }
  watch.finish();
  return keep(problem.regularizer(), objective, positive_class, std::move(result));
}

/// The problem at decreasing strengths, each from the one before.
std::vector<TrainedProblem> train_along(const TrainingInput& kernels, const VectorIn& labels, const VectorIn& weights,
                                        const Objective& objective, const std::vector<std::string>& alphas,
                                        const Limits& limits, const std::string& positive_class, nb::object progress) {
  Watch watch(std::move(progress));
  Index n_points = 0;
  const auto show = [&](const PathPoint& point) {
    const Result& result = point.result;
    return watch.show(++n_points, result.certificate.relative_gap, static_cast<Index>(result.expansion.kernels.size()));
  };
  // One clock for all points.
  const PathSettings settings{with_time_limit(limits.settings(watch)), show};
  const Problem problem = objective.make_problem(kernels.bank, to_vector(labels), to_vector(weights));
  const auto family = [&](double alpha) {
    const nb::gil_scoped_acquire lock;
    return objective.make_regularizer(alpha);
  };
  Path path;
  {
    const nb::gil_scoped_release unlocked;
    path = solve_path(problem, family, parse_alphas(alphas), settings, kernels.exact);
  }
  watch.finish();
  std::vector<TrainedProblem> trained;
  for (PathPoint& point : path.points)
    trained.push_back(
        keep(*objective.make_regularizer(point.alpha), objective, positive_class, std::move(point.result)));
  return trained;
}

/// "1max" … "0.01max".
std::vector<std::string> alpha_grid(int count, double ratio) {
  const AlphaGrid grid = log_spaced_alphas(count, ratio);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < grid.values.size(); ++k) texts.push_back(grid.text(k));
  return texts;
}

/// The certificate of a fit, recomputed from scratch.
nb::dict certify_again(const TrainingInput& kernels, const VectorIn& labels, const VectorIn& weights,
                       const Objective& objective, const TrainedProblem& trained) {
  const Problem problem =
      objective.make_problem(kernels.exact ? kernels.exact : kernels.bank, to_vector(labels), to_vector(weights));
  Certificate certificate;
  {
    const nb::gil_scoped_release unlocked;
    certificate = certify(problem, trained.fit.expansion, dual_bound(problem, trained.fit.certificate.dual));
  }
  nb::dict dict;
  dict["primal"] = certificate.primal;
  dict["dual_objective"] = certificate.dual_objective;
  dict["relative_gap"] = certificate.relative_gap;
  return dict;
}

}  // namespace

nb::dict history_dict(const History& history) {
  nb::dict dict;
  dict["seconds"] = to_numpy(column(history, &Record::seconds));
  dict["primal"] = to_numpy(column(history, &Record::primal));
  dict["dual"] = to_numpy(column(history, &Record::dual));
  dict["gap"] = to_numpy(column(history, &Record::gap));
  dict["n_active"] = to_numpy(column(history, &Record::n_active));
  return dict;
}

void bind_training(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<TrainedProblem>(module, "TrainedProblem",
                             "One solved problem: a regression, or one class against the rest.")
      .def_prop_ro(
          "dual", [](const TrainedProblem& self) { return to_numpy(self.fit.expansion.dual); },
          nb::rv_policy::automatic)
      .def_prop_ro("kernels", [](const TrainedProblem& self) { return self.fit.expansion.kernels; })
      .def_prop_ro(
          "scale", [](const TrainedProblem& self) { return to_numpy(self.fit.expansion.scale); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "norms", [](const TrainedProblem& self) { return to_numpy(self.fit.certificate.norms); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "weights", [](const TrainedProblem& self) { return to_numpy(self.weights); }, nb::rv_policy::automatic)
      .def_prop_ro("intercept", [](const TrainedProblem& self) { return self.fit.expansion.intercept; })
      .def_prop_ro("loss", [](const TrainedProblem& self) { return self.fit.problem.loss; })
      .def_prop_ro("penalty", [](const TrainedProblem& self) { return self.fit.problem.penalty; })
      .def_prop_ro("alpha", [](const TrainedProblem& self) { return self.fit.problem.alpha; })
      .def_prop_ro("l1_ratio", [](const TrainedProblem& self) { return self.fit.problem.l1_ratio; })
      .def_prop_ro("q", [](const TrainedProblem& self) { return self.fit.problem.q; })
      .def_prop_ro("epsilon", [](const TrainedProblem& self) { return self.fit.problem.epsilon; })
      .def_prop_ro("quantile", [](const TrainedProblem& self) { return self.fit.problem.quantile; })
      .def_prop_ro("fit_intercept", [](const TrainedProblem& self) { return self.fit.problem.fit_intercept; })
      .def_prop_ro("primal", [](const TrainedProblem& self) { return self.fit.certificate.primal; })
      .def_prop_ro("dual_objective", [](const TrainedProblem& self) { return self.fit.certificate.dual_objective; })
      .def_prop_ro("gap", [](const TrainedProblem& self) { return self.fit.certificate.relative_gap; })
      .def_prop_ro("status", [](const TrainedProblem& self) { return self.fit.status; })
      .def_prop_ro("message", [](const TrainedProblem& self) { return self.fit.message; })
      .def_prop_ro("iterations", [](const TrainedProblem& self) { return self.fit.iterations; })
      .def_prop_ro("seconds", [](const TrainedProblem& self) { return self.fit.seconds; })
      .def_prop_ro("history", [](const TrainedProblem& self) { return history_dict(self.history); });
  nb::class_<Limits>(module, "Limits", "When a training run ends, and which solver it uses; wrong ones are refused.")
      .def(
          "__init__",
          [](Limits* self, double tol, int max_iter, double max_seconds, const std::string& solver) {
            new (self) Limits{tol, max_iter, max_seconds, parse_solver(solver)};
            check(self->settings());
          },
          "tol"_a, "max_iter"_a, "max_seconds"_a, "solver"_a);
  module.def("train", &train, "kernels"_a, "labels"_a, "weights"_a, "objective"_a, "limits"_a, "positive_class"_a,
             "progress"_a.none(), "start"_a.none(), "Solves one problem.");
  module.def("train_along", &train_along, "kernels"_a, "labels"_a, "weights"_a, "objective"_a, "alphas"_a, "limits"_a,
             "positive_class"_a, "progress"_a.none(), "Solves at decreasing strengths.");
  module.def("alpha_grid", &alpha_grid, "count"_a, "ratio"_a,
             "Multiples of alpha_max, evenly spaced in the logarithm.");
  module.def("option_tables_json", &option_tables_json, "The options of the command with their defaults.");
  module.def("certify", &certify_again, "kernels"_a, "labels"_a, "weights"_a, "objective"_a, "trained"_a,
             "Recomputes the certificate of a solved problem.");
}

}  // namespace spicymkl::python
