#include "studies.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "options.hpp"
#include "pipeline/training_options.hpp"
#include "report/study_page.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/bank/gram_check.hpp"
#include "study/run_tasks.hpp"
#include "study/study_tables.hpp"
#include "training_kernels.hpp"
#include "watch.hpp"

namespace spicymkl::python {

namespace {

/// What is learned, and how the study is done.
struct Asked {
  TrainingPlan plan;
  Target target;
  VectorIn weights;
  StudyOptions options;
  CvChoices choices;
  std::vector<std::string> presets;
  std::vector<std::string> groups;
  std::uint64_t seed;
  std::string memory;
};

Asked read_asked(TrainingPlan plan, Target target, const VectorIn& weights, const nb::dict& given,
                 std::vector<std::string> presets, std::vector<std::string> groups, std::uint64_t seed,
                 std::string memory) {
  return {std::move(plan),
          std::move(target),
          weights,
          read_options(study_option_table(), given),
          read_options(cv_option_table(), given),
          std::move(presets),
          std::move(groups),
          seed,
          std::move(memory)};
}

class BoundStudy {
 public:
  BoundStudy(const Asked& asked, const FitWatch& watch, std::unique_ptr<Dataset> data)
      : watch_(watch), data_(std::move(data)) {
    StudySettings settings;
    settings.plan = asked.plan;
    watch_with(watch.watch(), settings.plan);
    settings.options = asked.options;
    settings.grid = make_cv_grid(asked.choices, asked.plan, asked.presets);
    settings.choice.metric = choose_metric(asked.choices.metric, asked.target);
    const double memory = parse_bytes(asked.memory);
    settings.choice.memory = memory > 0 ? memory : kTaskMemory;
    if (!asked.groups.empty()) settings.groups = make_groups("groups", asked.groups);
    settings.seed = asked.seed;
    study_ = watch_.run([&] { return std::make_unique<Study>(*data_, std::move(settings)); });
    StudyDescription description = describe(*study_, data_->target());
    description.data = "X";
    description.target = "y";
    text_ = description_json(description);
  }

  /// What the study is, for whoever puts the parts together.
  const std::string& text() const { return text_; }

  std::vector<std::string> tasks() const {
    std::vector<std::string> names;
    for (const StudyTask& task : list_tasks(study_->settings().options)) names.push_back(task.name());
    return names;
  }

  /// The results of the tasks of these numbers, one after the other, on one thread.
  std::vector<std::string> run(const std::vector<Index>& numbers) const {
    const std::vector<StudyTask> all = list_tasks(study_->settings().options);
    return watch_.run([&] {
      std::vector<std::string> texts;
      for (const Index number : numbers) {
        watch_.watch().check();
        const StudyTask& task = all.at(number);
        texts.push_back(part_json(find_part(*study_, task), task, fingerprint(text_)));
      }
      return texts;
    });
  }

 private:
  FitWatch watch_;
  std::unique_ptr<Dataset> data_;
  std::unique_ptr<Study> study_;
  std::string text_;
};

BoundStudy table_study(const TableIn& X, const std::vector<std::string>& columns,
                       const std::vector<std::vector<std::string>>& categories, const nb::dict& kernels,
                       const Asked& asked, const FitWatch& watch, const Views* views,
                       const std::vector<std::string>& covariates) {
  TablePlan plan = make_table_plan(read_options(kernel_option_table(), kernels), 1);
  plan.watch = watch.watch();
  plan.kernels.covariates = covariates;
  plan.expected_passes = static_cast<double>(make_cv_grid(asked.choices, asked.plan, {}).alphas.values.size()) *
                         expected_passes(asked.plan.problem, asked.plan.settings);
  Table table = to_table(X, columns, categories, views);
  table.target.resize(table.rows());  // rows are divided with their target, whose values come from y
  const Vector weights = to_vector(asked.weights);
  if ((weights.array() != 1).any()) table.weights = weights;
  return BoundStudy(asked, watch, make_table_dataset(std::move(table), asked.target, plan));
}

BoundStudy gram_study(const GramsIn<double>& grams, const std::vector<std::string>& names, const std::string& psd,
                      const Asked& asked, const FitWatch& watch) {
  const PsdMethod method = parse_psd_method(psd);
  const auto bank = to_bank(grams, names, 1, watch);
  if (method == PsdMethod::refuse) check_gram_matrices(*bank);
  else check_entries(*bank);
  const Vector weights = to_vector(asked.weights);
  return BoundStudy(asked, watch,
                    make_gram_dataset(bank, asked.target, (weights.array() != 1).any() ? weights : Vector(), method));
}

/// Names and contents of all files, from the parts of all tasks in order.
std::vector<std::pair<std::string, std::string>> study_files(const std::string& text,
                                                             const std::vector<std::string>& parts) {
  const StudyDescription study = parse_description(text, "the study");
  const std::vector<StudyTask> tasks = list_tasks(study.options);
  std::vector<PartResult> results;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    auto result = parse_part(parts.at(k), tasks[k], fingerprint(text), study);
    if (!result) throw std::runtime_error("a worker handed back the part of another study");
    results.push_back(std::move(*result));
  }
  const StudySummary summary = summarize(study, results);
  auto files = study_tables(study, summary);
  files.emplace_back("study.json", study_json(study, summary));
  files.emplace_back("study.html", study_html(study, summary));
  return files;
}

}  // namespace

void bind_studies(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Asked>(module, "StudyRequest", "What is learned, and how a study of it is done.")
      .def(
          "__init__",
          [](Asked* self, const TrainingPlan& plan, const Target& target, const VectorIn& weights,
             const nb::dict& options, const std::vector<std::string>& presets, const std::vector<std::string>& groups,
             std::uint64_t seed, const std::string& memory) {
            new (self) Asked(read_asked(plan, target, weights, options, presets, groups, seed, memory));
          },
          "plan"_a, "target"_a, "weights"_a, "options"_a, "presets"_a, "groups"_a, "seed"_a, "memory"_a);
  nb::class_<BoundStudy>(module, "Study", "Tasks that do not depend on each other.")
      .def_prop_ro("text", &BoundStudy::text)
      .def_prop_ro("tasks", &BoundStudy::tasks)
      .def("run", &BoundStudy::run, "numbers"_a, "The results of these tasks, as text.");
  module.def("table_study", &table_study, "X"_a, "columns"_a, "categories"_a, "kernels"_a, "asked"_a, "watch"_a,
             "views"_a.none(), "covariates"_a);
  module.def("gram_study", &gram_study, "grams"_a.noconvert(), "names"_a, "psd"_a, "asked"_a, "watch"_a);
  module.def("study_files", &study_files, "text"_a, "parts"_a, "Names and contents of the results.");
}

}  // namespace spicymkl::python
