#include "training.hpp"

#include <nanobind/stl/vector.h>

#include "options.hpp"
#include "own_functions.hpp"
#include "pipeline/training_options.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/cross_validation.hpp"
#include "spicymkl/selection/decline.hpp"
#include "spicymkl/selection/path.hpp"
#include "training_kernels.hpp"
#include "watch.hpp"

namespace spicymkl::python {

namespace {

/// The values of a field of every record.
template <class Field>
ArrayOut column(const History& history, Field field) {
  Vector values(std::ssize(history));
  for (Index k = 0; k < std::ssize(history); ++k) values(k) = static_cast<double>(history[k].*field);
  return to_numpy(values);
}

nb::dict history_dict(const History& history) {
  nb::dict dict;
  dict["seconds"] = column(history, &Record::seconds);
  dict["primal"] = column(history, &Record::primal);
  dict["dual"] = column(history, &Record::dual);
  dict["gap"] = column(history, &Record::gap);
  dict["n_active"] = column(history, &Record::n_active);
  return dict;
}

/// Options are those of the library's table; `loss` and `penalty` are None, or objects of the user's own.
TrainingPlan make_python_plan(const nb::dict& options, const nb::object& loss, const nb::object& penalty) {
  TrainingPlan plan = make_plan(read_options(problem_option_table(), options));
  if (!loss.is_none()) {
    plan.problem.loss = own_name(loss);
    plan.problem.own_loss = own_loss(loss);
  }
  if (!penalty.is_none()) {
    plan.problem.penalty = own_name(penalty);
    plan.problem.own_penalty = own_penalty(penalty);
  }
  check(plan);
  return plan;
}

TrainedModel train(const TrainingKernels& input, TrainingPlan plan, const FitWatch& watch, const nb::object& progress,
                   const TrainedModel* start, bool keep_ends) {
  watch_with(watch.watch(), plan);
  plan.keep_ends = keep_ends;
  if (start != nullptr) plan.starts = start->ends;
  const auto show = [&](Index number, const Record& r) {
    return watch.show(progress, number, r.iteration, r.gap, r.n_active);
  };
  TrainedModel trained = watch.run([&] { return train_model(input, std::move(plan), show); });
  if (!keep_ends) trained.ends.clear();  // a model lives for long
  return trained;
}

/// Some of the problems of the target: of each the fit and its history.
nb::list train_fits(const TrainingKernels& input, const std::vector<Index>& numbers, TrainingPlan plan,
                    const FitWatch& watch) {
  watch_with(watch.watch(), plan);
  plan.sample_weights = input.sample_weights;
  std::vector<TrainedFit> all = watch.run([&] {
    std::vector<TrainedFit> trained;
    for (const Index number : numbers)
      trained.push_back(train_fit(input.bank, input.exact, input.target, number, plan));
    return trained;
  });
  nb::list list;
  for (TrainedFit& one : all) list.append(nb::make_tuple(std::move(one.fit), history_dict(one.history)));
  return list;
}

/// One problem of the target at decreasing strengths, each solved from the one before; those for which there was time.
std::vector<Fit> train_along(const TrainingKernels& input, Index number, TrainingPlan plan,
                             const std::vector<std::string>& alphas, const FitWatch& watch,
                             const nb::object& progress) {
  watch_with(watch.watch(), plan);
  plan.sample_weights = input.sample_weights;
  Index n_points = 0;
  const auto show = [&](const Fit& fit) {
    return watch.show(progress, ++n_points, fit.certificate.relative_gap, std::ssize(fit.expansion.kernels));
  };
  const AlphaGrid grid = parse_alphas(alphas);
  return watch.run([&] { return train_path(input.bank, input.exact, input.target, number, plan, grid, show).fits; });
}

/// The paths of a cross-validation: all problems of a target, a few strengths at a time, as well as scores need it.
class ScoredWalk {
 public:
  ScoredWalk(const TrainingKernels& input, TrainingPlan plan, const std::vector<std::string>& alphas,
             const FitWatch& watch)
      : watch_(watch) {
    watch_with(watch.watch(), plan);
    plan.sample_weights = input.sample_weights;
    const AlphaGrid grid = parse_alphas(alphas);
    walk_ = watch.run([&] {
      return std::make_unique<TargetWalk>(input.bank, nullptr, input.target, plan_to_score(std::move(plan)), grid);
    });
  }

  std::vector<std::vector<Fit>> next() {
    return watch_.run([&] { return walk_->next(kScoredTogether); });
  }
  bool finished() const { return walk_->finished(); }
  bool stopped() const { return walk_->stopped(); }

 private:
  FitWatch watch_;
  std::unique_ptr<TargetWalk> walk_;
};

/// The smallest strength that selects no kernel: of all problems of the target, the largest.
double largest_alpha_max(const TrainingKernels& input, const TrainingPlan& plan, const FitWatch& watch) {
  const ProblemDescription problem = description_for(input.target, plan.problem.with_alpha(1));
  return watch.run([&] {
    double largest = 0;
    for (Index f = 0; f < input.target.n_fits(); ++f)
      largest = std::max(largest, alpha_max(make_problem(input.bank, input.target, f, problem, input.sample_weights)));
    return largest;
  });
}

/// The certificate of a fit, recomputed from scratch. The plan has the user's own loss and penalty.
Certificate certify_again(const TrainingKernels& input, Index number, const TrainingPlan& plan, const Fit& fit,
                          const FitWatch& watch) {
  ProblemDescription description = fit.problem;
  description.own_loss = plan.problem.own_loss;
  description.own_penalty = plan.problem.own_penalty;
  const auto& bank = input.exact ? input.exact : input.bank;
  return watch.run([&] {
    const Problem problem = make_problem(bank, input.target, number, description, input.sample_weights);
    Expansion expansion = fit.expansion;
    expansion.unpenalised = covariate_basis(input.target, description).of_columns(expansion.unpenalised);
    return certify(problem, expansion, dual_bound(problem, fit.certificate.dual));
  });
}

/// "1max" … "0.01max".
std::vector<std::string> alpha_grid(int count, double ratio) {
  const AlphaGrid grid = log_spaced_alphas(count, ratio);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < grid.values.size(); ++k) texts.push_back(grid.text(k));
  return texts;
}

}  // namespace

void bind_training(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<TrainingPlan>(module, "Plan", "Loss, penalty and solver; what is wrong with them is refused.")
      .def(
          "__init__",
          [](TrainingPlan* self, const nb::dict& options, const nb::object& loss, const nb::object& penalty) {
            new (self) TrainingPlan(make_python_plan(options, loss, penalty));
          },
          "options"_a, "loss"_a = nb::none(), "penalty"_a = nb::none())
      .def_prop_ro("rank_tolerance_to_score", &rank_tolerance_to_score)
      .def_prop_ro("expected_passes",
                   [](const TrainingPlan& self) { return expected_passes(self.problem, self.settings); })
      .def_prop_ro(
          "labels",
          [](const TrainingPlan& self) {
            const LabelKind labels = self.problem.make_loss()->labels();
            return labels == LabelKind::two_classes ? "classes" : labels == LabelKind::survival ? "times" : "numbers";
          },
          "What the loss learns from.")
      .def(
          "measure_alpha_with", [](TrainingPlan& self, const VectorIn& w) { self.alpha_weights = to_vector(w); },
          "weights"_a, "The weights of the samples in alpha_max.");
  nb::class_<Certificate>(module, "Certificate")
      .def_ro("primal", &Certificate::primal)
      .def_ro("dual_objective", &Certificate::dual_objective)
      .def_ro("relative_gap", &Certificate::relative_gap);
  nb::class_<TrainedModel>(module, "TrainedModel", "A model, how its training went, and where another may start.")
      .def_ro("model", &TrainedModel::model)
      .def_prop_ro("histories", [](const TrainedModel& self) {
        nb::list list;
        for (const History& history : self.histories) list.append(history_dict(history));
        return list;
      });
  module.def("train_model", &train, "kernels"_a, "plan"_a, "watch"_a, "progress"_a.none(), "start"_a.none(),
             "keep_ends"_a);
  module.def("train_fits", &train_fits, "kernels"_a, "numbers"_a, "plan"_a, "watch"_a);
  module.def("train_along", &train_along, "kernels"_a, "number"_a, "plan"_a, "alphas"_a, "watch"_a,
             "progress"_a.none());
  nb::class_<ScoredWalk>(module, "ScoredWalk", "The paths of all problems of a target, a few strengths at a time.")
      .def(nb::init<const TrainingKernels&, TrainingPlan, const std::vector<std::string>&, const FitWatch&>(),
           "kernels"_a, "plan"_a, "alphas"_a, "watch"_a)
      .def("next", &ScoredWalk::next, "Of the next strengths, the fits of every problem.")
      .def_prop_ro("finished", &ScoredWalk::finished)
      .def_prop_ro("stopped", &ScoredWalk::stopped);
  nb::class_<Decline>(module, "Decline", "Whether the scores of a path have clearly got worse.")
      .def(nb::init<bool>(), "larger_is_better"_a)
      .def("add", &Decline::add, "score"_a)
      .def_prop_ro("is_clear", &Decline::is_clear);
  module.def(
      "make_model",
      [](const TrainingKernels& kernels, std::vector<Fit> fits, double tol) {
        return make_model(kernels, std::move(fits), tol);
      },
      "kernels"_a, "fits"_a, "tol"_a);
  module.def("alpha_max", &largest_alpha_max, "kernels"_a, "plan"_a, "watch"_a);
  module.def("certify", &certify_again, "kernels"_a, "number"_a, "plan"_a, "fit"_a, "watch"_a);
  module.def("presets_to_try", &presets_to_try, "kernels"_a, "has_groups"_a,
             "The presets among which cross-validation chooses where this one was asked for.");
  module.def("distinct_presets", &distinct_presets, "presets"_a, "n_columns"_a, "n_categorical"_a,
             "Of presets to try, those that give other kernels than an earlier one.");
  module.def("alpha_grid", &alpha_grid, "count"_a, "ratio"_a,
             "Multiples of alpha_max, evenly spaced in the logarithm.");
  module.def("option_tables_json", &option_tables_json,
             "The options of the command with their defaults; losses, penalties and kernels.");
}

}  // namespace spicymkl::python
