#include "training_kernels.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include "core/wording.hpp"
#include "options.hpp"
#include "pipeline/covariate_check.hpp"
#include "pipeline/input_notes.hpp"
#include "pipeline/training_options.hpp"
#include "ranks.hpp"
#include "spicymkl/bank/gram_check.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/device/device.hpp"
#include "watch.hpp"

namespace spicymkl::python {

namespace {

/// Deleting an array takes the interpreter's lock, wherever the last bank that reads it dies.
template <class Array>
std::shared_ptr<const void> keep_alive(Array array) {
  return {new Array(std::move(array)), [](Array* kept) {
            const nb::gil_scoped_acquire lock;
            delete kept;
          }};
}

template <class Number>
std::vector<const Number*> kernels_of(const GramsIn<Number>& grams) {
  std::vector<const Number*> kernels(grams.shape(0));
  for (std::size_t m = 0; m < kernels.size(); ++m) kernels[m] = grams.data() + m * grams.shape(1) * grams.shape(2);
  return kernels;
}

/// Bank is DenseBank or SingleBank: the array itself is read, nothing is copied.
template <class Bank, class Number>
std::shared_ptr<const Bank> bank_of(const GramsIn<Number>& grams, const std::vector<std::string>& names, int threads,
                                    const FitWatch& watch) {
  return std::make_shared<Bank>(kernels_of(grams), static_cast<Index>(grams.shape(1)), names, threads,
                                keep_alive(grams), watch.watch());
}

/// Precomputed kernels have no columns to say anything of.
TrainingKernels of_grams(TrainingInput input) {
  TrainingKernels kernels{std::move(input), {}};
  kernels.data.n_rows = kernels.bank->n_samples();
  kernels.data.task_was_asked = kernels.data.from_python = true;
  return kernels;
}

TrainingKernels gram_kernels(const GramsIn<double>& grams, const std::vector<std::string>& names,
                             const std::string& psd, int threads, const FitWatch& watch, const std::string& device) {
  const PsdMethod method = parse_psd_method(psd);
  const auto bank = bank_of<DenseBank>(grams, names, threads, watch);
  const nb::gil_scoped_release unlocked;
  std::vector<TinyNegative> tolerated;
  if (method == PsdMethod::refuse) tolerated = check_gram_matrices(*bank);
  else check_entries(*bank);
  TrainingInput input = make_gram_input(bank, method, choose_device(device));
  input.tolerated = std::move(tolerated);
  return of_grams(std::move(input));
}

/// In single precision, in which eigenvalues below 0 by rounding are no news.
TrainingKernels single_gram_kernels(const GramsIn<float>& grams, const std::vector<std::string>& names, int threads,
                                    const FitWatch& watch) {
  const auto bank = bank_of<SingleBank>(grams, names, threads, watch);
  const nb::gil_scoped_release unlocked;
  check_gram_matrices(*bank);
  TrainingInput input;
  input.bank = bank;
  return of_grams(std::move(input));
}

/// Kernels that another library computed on a GPU: read there, in place.
TrainingKernels device_gram_kernels(const DeviceGramsIn& grams, const std::vector<std::string>& names, int threads,
                                    const FitWatch& watch) {
  const bool single = grams.dtype() == nb::dtype<float>();
  if (!single && grams.dtype() != nb::dtype<double>())
    throw InputError("precomputed kernels on a GPU must be float64 or float32; convert them");
  GramsOnDevice there{{}, static_cast<Index>(grams.shape(1)), single ? 4 : 8, names, keep_alive(grams)};
  const auto* first = static_cast<const char*>(grams.data());
  for (std::size_t m = 0; m < grams.shape(0); ++m)
    there.matrices.push_back(first +
                             m * grams.shape(1) * grams.shape(2) * static_cast<std::size_t>(there.number_bytes));
  const int number = grams.device_id();
  const nb::gil_scoped_release unlocked;
  const std::shared_ptr<const Device> device = open_cuda(number);
  const std::vector<GramFindings> findings = examine(*device, there);
  TrainingInput input;
  input.bank = bank_over(device, std::move(there), threads, watch.watch());
  input.tolerated = check_gram_matrices(*input.bank, single, findings);
  return of_grams(std::move(input));
}

Target survival_target(const VectorIn& times, const VectorIn& events, const std::string& event_name) {
  Target target;
  target.loss = default_loss(LabelKind::survival).name;
  target.numbers = to_vector(times);
  target.events = to_vector(events);
  target.event_name = event_name;
  return target;
}

void set_target(TrainingKernels& input, const Target& target, const VectorIn& weights) {
  Covariates covariates = std::move(input.target.covariates);  // those of the table
  input.target = target;
  input.target.covariates = std::move(covariates);
  input.sample_weights = to_vector(weights);
  if (target.has_several()) {
    input.data.target_name = listed(target.names);
    if (input.table) input.table->target_name = input.data.target_name;
  }
  summarize_target(input.target, input.data);
  if (input.table) input.data.missing_views = missing_views(input.table->samples->views, input.target);
}

/// What a start of another run must have in common with this one.
std::vector<Index> problem_size(const TrainingKernels& input) {
  return {input.bank->n_samples(), input.bank->n_kernels(), input.target.n_fits(), input.target.n_outputs()};
}

/// What its problems are called; empty where there is one for all that is learned.
std::vector<std::string> fit_names(const TrainingKernels& input) {
  std::vector<std::string> names;
  for (Index f = 0; f < input.target.n_fits(); ++f) {
    const std::string target = input.target.target_name(f), positive = input.target.positive_class(f);
    names.push_back(!target.empty() ? "target " + target : positive.empty() ? "" : "class " + positive);
  }
  return names;
}

/// What the user calls what is learned, and the sample weights, if there are any.
void set_names(TrainingKernels& input, const std::string& target, const std::string& weights) {
  input.data.target_name = target;
  input.data.weight_name = weights;
  if (input.table) input.table->target_name = target;
}

std::vector<std::string> notes(const TrainingKernels& input) {
  std::vector<std::string> all = input.table ? input_notes(*input.table) : gram_notes(input);
  for (std::string& warning : data_warnings(input.data)) all.push_back(std::move(warning));
  return all;
}

using Map = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Kernels fitted on a table, for those who want the matrices themselves.
struct FittedKernels {
  TrainingTable table;
  int threads;

  std::size_t size() const { return table.kernels.size(); }

  /// Calls compute(kernel, out) for every kernel and stacks what they write, rows × N each.
  template <class Compute>
  ArrayOut stack(Index rows, const Compute& compute) const {
    const Index columns = table.samples->n_rows();
    NewArray made({size(), static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)});
    const nb::gil_scoped_release unlocked;
    Matrix values(rows, columns);
    for (std::size_t m = 0; m < size(); ++m) {
      compute(table.kernels[m], values);
      Map(made.data + static_cast<Index>(m) * rows * columns, rows, columns) = values;
    }
    return made.array;
  }

  ArrayOut grams() const {
    return stack(table.samples->n_rows(),
                 [&](const FittedKernel& kernel, Matrix& values) { kernel.gram(*table.samples, values, threads); });
  }

  ArrayOut cross(const TableIn& X) const {
    Leniency said;  // by what made codes of the strings
    const Samples fresh =
        table.preparation.apply(to_table(X, table.preparation.columns, table.preparation.categories), said);
    for (const FittedKernel& kernel : table.kernels) check_columns(kernel.spec(), fresh);
    return stack(fresh.n_rows(), [&](const FittedKernel& kernel, Matrix& values) {
      kernel.cross(fresh, *table.samples, values, threads);
    });
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const FittedKernel& kernel : table.kernels) names.push_back(kernel.spec().name);
    return names;
  }
};

std::vector<std::string> kernel_names(const TrainingKernels& input) {
  std::vector<std::string> names;
  for (Index m = 0; m < input.bank->n_kernels(); ++m) names.push_back(input.bank->name(m));
  return names;
}

}  // namespace

Table to_table(const TableIn& X, const std::vector<std::string>& columns,
               const std::vector<std::vector<std::string>>& categories, const Views* views, int threads) {
  Table table;
  table.path = "X";
  table.target_name = "y";
  table.columns = columns;
  table.categories = categories;
  table.values = to_matrix(X, all_kernels(static_cast<Index>(X.shape(1))), threads);
  if (views != nullptr) table.views = *views;
  return table;
}

Target to_target(const TrainingPlan& plan, std::vector<std::string> classes, const VectorIn& y) {
  const Vector numbers = to_vector(y);
  if (classes.empty()) {
    Target target;
    target.loss = plan.problem.loss;
    target.numbers = numbers;
    return target;
  }
  std::vector<Index> codes;
  for (const double code : numbers) codes.push_back(static_cast<Index>(code));
  return make_class_target(std::move(classes), std::move(codes), plan.problem.loss, plan.multi_class);
}

std::shared_ptr<const DenseBank> to_bank(const GramsIn<double>& grams, const std::vector<std::string>& names,
                                         int threads, const FitWatch& watch) {
  return bank_of<DenseBank>(grams, names, threads, watch);
}

void bind_training_kernels(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Target>(module, "Target", "What is learned.");
  module.def("target", &to_target, "plan"_a, "classes"_a, "y"_a, "Classes by their places, or numbers.");
  module.def(
      "several_targets",
      [](const TrainingPlan& plan, std::vector<std::string> names, const MatrixIn& y) {
        return make_several_targets(to_matrix(y), std::move(names), plan.problem.loss, plan.multi_output, "y");
      },
      "plan"_a, "names"_a, "y"_a, "Numbers, a column of y for each target.");
  module.def("survival_target", &survival_target, "times"_a, "events"_a, "event_name"_a);
  nb::class_<TrainingKernels>(module, "TrainingKernels", "The kernels of a training set.")
      .def_prop_ro("n_samples", [](const TrainingKernels& self) { return self.bank->n_samples(); })
      .def_prop_ro("n_kernels", [](const TrainingKernels& self) { return self.bank->n_kernels(); })
      .def_prop_ro("names", &kernel_names)
      .def_prop_ro("notes", &notes, "What the user should know of how the data were read.")
      .def_prop_ro(
          "remarks",
          [](const TrainingKernels& self) { return self.table ? self.table->remarks : std::vector<std::string>(); })
      .def_prop_ro("data", [](const TrainingKernels& self) { return DataSummary(self.data); })
      .def("set_names", &set_names, "target"_a, "weights"_a)
      .def("set_target", &set_target, "target"_a, "weights"_a)
      .def_prop_ro("problem_size", &problem_size, "Samples, kernels, problems and outputs of each.")
      .def_prop_ro("fit_names", &fit_names)
      .def_prop_ro("codes", [](const TrainingKernels& self) { return self.target.codes; })
      .def_prop_ro(
          "weights", [](const TrainingKernels& self) { return to_numpy(self.sample_weights); },
          nb::rv_policy::automatic);
  module.def("gram_kernels", &gram_kernels, "grams"_a.noconvert(), "names"_a, "psd"_a, "threads"_a, "watch"_a,
             "device"_a = "cpu", "Precomputed (M, N, N) kernels, read in place; those that are repaired are copied.");
  module.def("device_gram_kernels", &device_gram_kernels, "grams"_a.noconvert(), "names"_a, "threads"_a, "watch"_a,
             "Precomputed (M, N, N) kernels in the memory of a GPU, read in place.");
  module.def("single_gram_kernels", &single_gram_kernels, "grams"_a.noconvert(), "names"_a, "threads"_a, "watch"_a);
  module.def(
      "table_kernels",
      [](const TableIn& X, const std::vector<std::string>& columns,
         const std::vector<std::vector<std::string>>& categories, const nb::dict& options, int threads, double passes,
         const FitWatch& watch, std::optional<double> rank_tolerance, const Views* views, const PythonTeam* team,
         const std::vector<std::string>& covariates) {
        Table table = to_table(X, columns, categories, views, resolve_threads(threads));
        const KernelOptions chosen = read_options(kernel_option_table(), options);
        TablePlan plan = make_table_plan(chosen, threads);
        plan.expected_passes = passes;
        plan.rank_tolerance = rank_tolerance.value_or(plan.rank_tolerance);
        plan.watch = watch.watch();
        plan.kernels.covariates = covariates;
        if (team != nullptr) plan.maker = spread_over(team->team);
        else if (const auto device = choose_device(chosen.device)) plan.maker = banks_on(device);
        return watch.run([&] {
          DataSummary data = summarize(table, {}, {}, resolve_threads(threads));
          data.task_was_asked = data.from_python = true;
          TrainingInput input = make_training_input(std::move(table), {}, plan);
          data.covariates = input.target.covariates.names;
          return TrainingKernels{std::move(input), std::move(data)};
        });
      },
      "X"_a, "columns"_a, "categories"_a, "options"_a, "threads"_a, "passes"_a, "watch"_a, "rank_tolerance"_a.none(),
      "views"_a.none(), "team"_a.none(), "covariates"_a,
      "Kernels of a table. Options are those of the library's table; kernels is a preset, a JSON file, or JSON.");
  module.def(
      "check_covariates",
      [](const TableIn& X, const std::vector<std::string>& columns,
         const std::vector<std::vector<std::string>>& categories, const Views* views,
         const std::vector<std::string>& covariates, const TrainingPlan& plan, const Target& target) {
        const Table table = to_table(X, columns, categories, views);
        check_covariates(table_covariates(table, covariates, std::nullopt), target, plan.problem,
                         [](Index row) { return fmt::format("row {} of X", row); });
      },
      "X"_a, "columns"_a, "categories"_a, "views"_a.none(), "covariates"_a, "plan"_a, "target"_a,
      "Raises where the coefficients of covariates are not determined.");
  nb::class_<Views>(module, "Views", "Which columns came from which of several tables, and which rows each has.")
      .def(
          "__init__",
          [](Views* self, const std::vector<std::string>& names, const std::vector<Index>& of_column,
             const std::string& missing, const MatrixIn& present) {
            new (self) Views{names, of_column, parse_missing_view(missing), to_matrix(present)};
          },
          "names"_a, "of_column"_a, "missing_view"_a, "present"_a, "`present` is empty where all are there.");
  nb::class_<FittedKernels>(module, "FittedKernels", "Kernels fitted on a table, as matrices.")
      .def_prop_ro("names", &FittedKernels::names)
      .def_prop_ro("notes", [](const FittedKernels& self) { return input_notes(self.table); })
      .def("grams", &FittedKernels::grams, "(M, N, N) on the training rows.")
      .def("cross", &FittedKernels::cross, "X"_a, "(M, n, N) of new rows with the training rows.");
  module.def(
      "fit_kernels",
      [](const TableIn& X, const std::vector<std::string>& columns,
         const std::vector<std::vector<std::string>>& categories, const nb::dict& options, int threads) {
        const TablePlan plan = make_table_plan(read_options(kernel_option_table(), options), threads);
        return FittedKernels{make_training_table(to_table(X, columns, categories), std::nullopt, plan.kernels, threads),
                             threads};
      },
      "X"_a, "columns"_a, "categories"_a, "options"_a, "threads"_a);
}

}  // namespace spicymkl::python
