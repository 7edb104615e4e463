#include "report.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "report/request.hpp"
#include "spicymkl/selection/survival_metrics.hpp"

namespace spicymkl {

// For pickles: all that a summary holds.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ColumnSummary, name, n_categories, n_missing, smallest, mean, largest,
                                                deviation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceMissing, name, n_columns, n_missing, share, class_share, correlation, p_value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(DataSummary, source, from_python, n_rows, columns, target_name, classes,
                                                class_rows, target, task_was_asked, could_be_numbers, dropped,
                                                row_index, id_name, weight_name, id_like, impute, missing_sources,
                                                targets, joint_targets, event_name, n_events, event_code, joint_classes,
                                                multi_class_was_asked, loss, covariates, sources, missing_views)

}  // namespace spicymkl

namespace spicymkl::python {

namespace {

/// CBOR keeps numbers that are not finite, which JSON text does not.
nb::bytes to_state(const DataSummary& data) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(data);
  return nb::bytes(bytes.data(), bytes.size());
}

DataSummary from_state(const nb::bytes& state) {
  return nlohmann::json::from_cbor(state.c_str(), state.c_str() + state.size()).get<DataSummary>();
}

/// From the arrays of `history_`.
History to_history(const nb::dict& arrays) {
  const auto column = [&](const char* name) { return to_vector(nb::cast<VectorIn>(arrays[name])); };
  const Vector seconds = column("seconds"), primal = column("primal"), dual = column("dual"), gap = column("gap"),
               n_active = column("n_active");
  History history(seconds.size());
  for (Index k = 0; k < seconds.size(); ++k) {
    history[k].iteration = static_cast<int>(k) + 1;
    history[k].seconds = seconds(k);
    history[k].primal = primal(k);
    history[k].dual = dual(k);
    history[k].gap = gap(k);
    history[k].n_active = static_cast<Index>(n_active(k));
  }
  return history;
}

/// `truth` holds numbers, or places in the list of classes; `scores` is rows × outputs.
Evaluation evaluate_scores(const Model& model, const VectorIn& truth, const MatrixIn& scores) {
  Target target;
  target.classes = model.classes;
  target.numbers = to_vector(truth);
  if (model.is_classification())
    for (const double code : target.numbers) target.codes.push_back(static_cast<Index>(code));
  return evaluate(model, target, to_matrix(scores));
}

Evaluation evaluate_survival(const Model& model, const VectorIn& times, const VectorIn& events,
                             const MatrixIn& scores) {
  Target target;
  target.numbers = to_vector(times);
  target.events = to_vector(events);
  return evaluate(model, target, to_matrix(scores));
}

/// The same of several targets: `truth` has a column for each.
Evaluation evaluate_several(const Model& model, const MatrixIn& truth, const MatrixIn& scores) {
  Target target;
  target.names = model.targets;
  target.several = to_matrix(truth);
  return evaluate(model, target, to_matrix(scores));
}

Metric metric_named(const std::string& name) {
  const std::vector<Metric> metrics = all_metrics();
  return *std::ranges::find(metrics, name, [](Metric one) { return std::string(name_of(one)); });
}

/// From what Python tried: of each point its kernels, its alpha ("0.1max" or "0.1"), l1_ratio and q, its score in every
/// fold (folds × points), the familiar score and how many kernels were active. `score` is the name of a metric or,
/// unless `is_metric`, of any other score of which more is better.
CrossValidation cross_validation(const std::vector<std::string>& kernels, const std::vector<std::string>& alphas,
                                 const VectorIn& l1_ratios, const VectorIn& qs, const MatrixIn& scores,
                                 const VectorIn& familiar, const std::string& familiar_name, const VectorIn& n_active,
                                 const std::string& score, bool is_metric, std::size_t chosen) {
  CrossValidation cv;
  if (is_metric) cv.metric = metric_named(score);
  else cv.other_score = score;
  cv.familiar = metric_named(familiar_name);
  cv.relative = parse_alphas(alphas).relative;
  const Matrix values = to_matrix(scores);
  const Vector l1_ratio = to_vector(l1_ratios), q = to_vector(qs), active = to_vector(n_active),
               familiar_scores = to_vector(familiar);
  for (Index p = 0; p < values.cols(); ++p) {
    CvPoint& point = cv.points.emplace_back();
    point.kernels = kernels[p];
    point.alpha = parse_alphas({alphas[p]}).values.front();
    point.l1_ratio = l1_ratio(p);
    point.q = q(p);
    point.scores.assign(values.col(p).begin(), values.col(p).end());
    point.n_active = active(p);
    point.familiar = familiar_scores(p);
    average(point);
  }
  cv.best = cv.one_standard_error = cv.chosen = chosen;
  cv.n_scored = std::ranges::count_if(cv.points, &CvPoint::complete);
  return cv;
}

std::string page_of(const Report& report) {
  const nb::gil_scoped_release unlocked;
  return report_html(report);
}

void add_test(const Evaluation* test, const std::string& name, Report& report) {
  if (test == nullptr) return;
  report.test = *test;
  report.test_source = name;
}

/// Of a model that was trained here.
std::string training_page(const Model& model, const TrainingRequest& request, const DataSummary& data,
                          const std::vector<nb::dict>& histories, const CrossValidation* cv, const Evaluation* test,
                          const std::string& test_name) {
  Report report = begin_report(request);
  if (cv != nullptr) report.cv = *cv;
  report.model = &model;
  report.data = data;
  report.data->source = request.labels.empty() ? request.data : request.labels;
  for (const nb::dict& arrays : histories) report.histories.push_back(to_history(arrays));
  add_test(test, test_name, report);
  return page_of(report);
}

/// Of a model that came from a file.
std::string model_page(const Model& model, const std::string& command, const std::string& file, const Evaluation* test,
                       const std::string& test_name, int threads) {
  Report report = begin_evaluation(command, file, test == nullptr ? "" : test_name);
  report.model = &model;
  report.threads = threads;
  add_test(test, test_name, report);
  return page_of(report);
}

}  // namespace

void bind_report(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<DataSummary>(module, "DataSummary", "What a report says of the training rows.")
      .def("__getstate__", &to_state)
      .def("__setstate__",
           [](DataSummary* self, const nb::bytes& state) { new (self) DataSummary(from_state(state)); });
  nb::class_<CrossValidation>(module, "CrossValidation", "What was tried, and how good it was.");
  nb::class_<Evaluation>(module, "Evaluation", "Predictions compared with the truth.");
  nb::class_<TrainingRequest>(module, "TrainingRequest", "What was asked of a training, in words.")
      .def(nb::init<>())
      .def_rw("what", &TrainingRequest::what)
      .def_rw("command", &TrainingRequest::command)
      .def_rw("data", &TrainingRequest::data)
      .def_rw("kernels", &TrainingRequest::kernels)
      .def_rw("labels", &TrainingRequest::labels)
      .def_rw("solver", &TrainingRequest::solver)
      .def_rw("alpha", &TrainingRequest::alpha)
      .def_rw("remarks", &TrainingRequest::remarks)
      .def_rw("threads", &TrainingRequest::threads);
  module.def("evaluate", &evaluate_scores, "model"_a, "truth"_a, "scores"_a);
  module.def("evaluate_survival", &evaluate_survival, "model"_a, "times"_a, "events"_a, "scores"_a);
  module.def(
      "concordance",
      [](const VectorIn& times, const VectorIn& events, const VectorIn& risks) {
        return concordance(to_vector(times), to_vector(events), to_vector(risks)).value();
      },
      "times"_a, "events"_a, "risks"_a, "Harrell's; None where it is not defined.");
  module.def("evaluate_targets", &evaluate_several, "model"_a, "truth"_a, "scores"_a);
  module.def("training_page", &training_page, "model"_a, "request"_a, "data"_a, "histories"_a, "cv"_a.none(),
             "test"_a.none(), "test_name"_a);
  module.def("cross_validation", &cross_validation, "kernels"_a, "alphas"_a, "l1_ratios"_a, "qs"_a, "scores"_a,
             "familiar"_a, "familiar_name"_a, "n_active"_a, "score"_a, "is_metric"_a, "chosen"_a);
  module.def("model_page", &model_page, "model"_a, "command"_a, "file"_a, "test"_a.none(), "test_name"_a, "threads"_a);
  module.def(
      "write_file", [](const std::string& path, const std::string& text) { write_file(path, text); }, "path"_a,
      "text"_a, "A file that appears complete or not at all.");
}

}  // namespace spicymkl::python
