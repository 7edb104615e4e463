#include "training_kernels.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "spicymkl/bank/gram_check.hpp"
#include "spicymkl/pipeline/input_notes.hpp"
#include "spicymkl/pipeline/training_options.hpp"

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
TrainingInput gram_kernels(const GramsIn<Number>& grams, const std::vector<std::string>& names, int threads) {
  const auto bank =
      std::make_shared<Bank>(kernels_of(grams), static_cast<Index>(grams.shape(1)), names, threads, keep_alive(grams));
  const nb::gil_scoped_release unlocked;
  check_gram_matrices(*bank);
  TrainingInput input;
  input.bank = bank;
  return input;
}

/// Matrices with negative eigenvalues are mended, in copies; the others are read in place.
TrainingInput mended_gram_kernels(const GramsIn<double>& grams, const std::vector<std::string>& names,
                                  const std::string& psd, int threads) {
  const PsdMethod method = parse_psd_method(psd);
  const auto bank = std::make_shared<DenseBank>(kernels_of(grams), static_cast<Index>(grams.shape(1)), names, threads,
                                                keep_alive(grams));
  const nb::gil_scoped_release unlocked;
  check_entries(*bank);
  return make_gram_input(bank, method);
}

Table to_table(const MatrixIn& X, const std::vector<std::string>& columns,
               const std::vector<std::vector<std::string>>& categories) {
  Table table;
  table.path = "X";
  table.target_name = "y";
  table.columns = columns;
  table.categories = categories;
  table.values = to_matrix(X, all_kernels(static_cast<Index>(X.shape(1))));
  return table;
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
    const Index columns = table.samples.n_rows();
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
    return stack(table.samples.n_rows(),
                 [&](const FittedKernel& kernel, Matrix& values) { kernel.gram(table.samples, values, threads); });
  }

  ArrayOut cross(const MatrixIn& X) const {
    const Samples fresh = table.preparation.apply(to_table(X, table.preparation.columns, table.preparation.categories));
    for (const FittedKernel& kernel : table.kernels) check_columns(kernel.spec(), fresh);
    return stack(fresh.n_rows(), [&](const FittedKernel& kernel, Matrix& values) {
      kernel.cross(fresh, table.samples, values, threads);
    });
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const FittedKernel& kernel : table.kernels) names.push_back(kernel.spec().name);
    return names;
  }
};

}  // namespace

std::vector<std::string> kernel_names(const TrainingInput& input) {
  std::vector<std::string> names;
  for (Index m = 0; m < input.bank->n_kernels(); ++m) names.push_back(input.bank->name(m));
  return names;
}

void bind_training_kernels(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<TrainingInput>(module, "TrainingKernels", "The kernels of a training set.")
      .def_prop_ro("n_samples", [](const TrainingInput& self) { return self.bank->n_samples(); })
      .def_prop_ro("n_kernels", [](const TrainingInput& self) { return self.bank->n_kernels(); })
      .def_prop_ro("names", &kernel_names)
      .def_prop_ro(
          "notes",
          [](const TrainingInput& self) { return self.table ? input_notes(*self.table) : std::vector<std::string>{}; },
          "What the user should know of how the table was read.");
  module.def("gram_kernels", &gram_kernels<DenseBank, double>, "grams"_a.noconvert(), "names"_a, "threads"_a,
             "Precomputed (M, N, N) kernels, read in place.");
  module.def("gram_kernels", &gram_kernels<SingleBank, float>, "grams"_a.noconvert(), "names"_a, "threads"_a);
  module.def("mended_gram_kernels", &mended_gram_kernels, "grams"_a, "names"_a, "psd"_a, "threads"_a,
             "Precomputed kernels; negative eigenvalues go by clip, flip or shift.");
  module.def(
      "table_kernels",
      [](const MatrixIn& X, const std::vector<std::string>& columns,
         const std::vector<std::vector<std::string>>& categories, const std::string& spec, const std::string& groups,
         bool standardize, std::uint64_t seed, const std::string& memory, double passes, int threads) {
        Table table = to_table(X, columns, categories);
        TablePlan plan = make_table_plan({spec, groups, "", standardize, seed, memory}, threads);
        plan.expected_passes = passes;
        const nb::gil_scoped_release unlocked;
        return make_training_input(std::move(table), {}, plan);
      },
      "X"_a, "columns"_a, "categories"_a, "spec"_a, "groups"_a, "standardize"_a, "seed"_a, "memory"_a, "passes"_a,
      "threads"_a, "Kernels of a table: spec is a preset, a JSON file, or JSON.");
  nb::class_<FittedKernels>(module, "FittedKernels", "Kernels fitted on a table, as matrices.")
      .def_prop_ro("names", &FittedKernels::names)
      .def_prop_ro("notes", [](const FittedKernels& self) { return input_notes(self.table); })
      .def("grams", &FittedKernels::grams, "(M, N, N) on the training rows.")
      .def("cross", &FittedKernels::cross, "X"_a, "(M, n, N) of new rows with the training rows.");
  module.def(
      "fit_kernels",
      [](const MatrixIn& X, const std::vector<std::string>& columns,
         const std::vector<std::vector<std::string>>& categories, const std::string& spec, const std::string& groups,
         bool standardize, std::uint64_t seed, int threads) {
        return FittedKernels{make_training_table(to_table(X, columns, categories), std::nullopt,
                                                 {spec, groups, standardize, seed}, threads),
                             threads};
      },
      "X"_a, "columns"_a, "categories"_a, "spec"_a, "groups"_a, "standardize"_a, "seed"_a, "threads"_a);
}

}  // namespace spicymkl::python
