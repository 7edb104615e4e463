#include "models.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "model/decision.hpp"
#include "model/fit_file.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/model/outputs.hpp"
#include "spicymkl/model/scores.hpp"

namespace spicymkl::python {

namespace {

/// The columns that the model reads, prepared.
Samples prepare(const Model& model, const TableIn& X, const std::optional<MatrixIn>& present, int threads) {
  const TableModel& trained = *model.table;
  if (static_cast<Index>(X.shape(1)) != trained.preparation.n_columns())
    throw InputError(
        fmt::format("X has {} columns, but the model was trained on {}", X.shape(1), trained.preparation.n_columns()));
  const Preparation preparation = trained.preparation.only(trained.used_columns);
  Table table;
  table.path = "X";
  table.columns = preparation.columns;
  table.categories = preparation.categories;
  table.values = to_matrix(X, trained.used_columns, threads);
  table.views = preparation.views;
  if (present) table.views.present = to_matrix(*present);
  Leniency said;  // by what made codes of the strings
  return preparation.apply(std::move(table), said);
}

std::unique_ptr<Scorer> table_scorer(const Model& model, const TableIn& X, int threads,
                                     const std::optional<MatrixIn>& present, const std::string& device) {
  if (!model.table)
    throw InputError("the model was trained on precomputed kernels; give those of the new rows, (M, n_new, N)");
  return make_table_scorer(model, prepare(model, X, present, threads), threads, choose_device(device));
}

/// Where the active kernels are in K, which holds all M kernels or these alone.
template <class Grams>
std::vector<const double*> active_in(const Grams& K, const double* values, const Model& model) {
  const std::vector<Index> active = active_kernels(model.fits);
  const bool all = static_cast<Index>(K.shape(0)) == model.n_kernels();
  if (!all && K.shape(0) != active.size())
    throw InputError(fmt::format("there are {} kernels, but the model has {}, of which {} are active", K.shape(0),
                                 model.n_kernels(), active.size()));
  if (static_cast<Index>(K.shape(2)) != model.n_samples)
    throw InputError(fmt::format("the kernels have {} columns, but the model was trained on {} samples", K.shape(2),
                                 model.n_samples));
  std::vector<const double*> kernels;
  for (std::size_t k = 0; k < active.size(); ++k)
    kernels.push_back(values + (all ? static_cast<std::size_t>(active[k]) : k) * K.shape(1) * K.shape(2));
  return kernels;
}

std::unique_ptr<Scorer> gram_scorer(const Model& model, const GramsIn<double>& K, int threads) {
  return make_gram_scorer(model, active_in(K, K.data(), model), static_cast<Index>(K.shape(1)), threads, nullptr);
}

/// In the memory of a GPU.
std::unique_ptr<Scorer> device_gram_scorer(const Model& model, const DeviceGramsIn& K, int threads) {
  if (K.dtype() != nb::dtype<double>()) throw InputError("kernels of new rows on a GPU must be float64; convert them");
  return make_gram_scorer(model, active_in(K, static_cast<const double*>(K.data()), model),
                          static_cast<Index>(K.shape(1)), threads, nullptr, {}, open_cuda(K.device_id()));
}

Scores score_all(const Scorer& scorer) {
  const nb::gil_scoped_release unlocked;
  return scorer.scores(0, scorer.n_rows());
}

/// Outputs × rows × all M kernels.
ArrayOut spread(const Model& model, const Scores& scores) {
  const std::size_t n_kernels = model.kernel_names.size();
  const auto n_rows = static_cast<std::size_t>(scores.values.rows());
  const std::vector<Output> outputs = outputs_of(model.fits);
  NewArray made({outputs.size(), n_rows, n_kernels});
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const std::vector<Index>& kernels = model.fits[outputs[f].fit].expansion.kernels;
    for (Index k = 0; k < std::ssize(kernels); ++k)
      for (std::size_t i = 0; i < n_rows; ++i)
        made.data[(f * n_rows + i) * n_kernels + static_cast<std::size_t>(kernels[k])] =
            scores.shares[f](static_cast<Index>(i), k);
  }
  return made.array;
}

nb::dict problem_options(const Fit& fit) {
  nb::dict options;
  options["loss"] = fit.problem.loss;
  options["penalty"] = fit.problem.penalty;
  options["alpha"] = fit.problem.alpha;
  for (const auto& [name, member] : problem_parameters()) options[name.c_str()] = fit.problem.*member;
  options["fit_intercept"] = fit.problem.fit_intercept;
  return options;
}

/// Every kernel as an entry of a JSON kernel list.
nb::list kernel_specs(const Model& model) {
  nb::list list;
  if (!model.table) return list;
  for (const auto& spec : model.table->specs) {
    nb::dict entry;
    entry["type"] = spec->type;
    for (const auto& [name, value] : spec->parameters) entry[name.c_str()] = value;
    entry["columns"] = spec->columns;
    entry["normalize"] = std::string(normalize_name(spec->normalize));
    entry["jitter"] = spec->jitter;
    entry["name"] = spec->name;
    if (!spec->group.empty()) entry["group"] = spec->group;
    list.append(entry);
  }
  return list;
}

template <class Text>
nb::bytes as_bytes(const Text& text) {
  return nb::bytes(text.data(), text.size());
}

/// A fit goes from process to process as a file of its own, with its JSON part under this name.
constexpr const char* kFitPart = "fit";

nb::bytes fit_state(const Fit& fit) {
  TensorFile file;
  file.metadata[kFitPart] = fit_to_file(fit, "", file).dump();
  return as_bytes(to_safetensors(file));
}

Fit fit_from_state(const nb::bytes& state) {
  const TensorFile file = parse_safetensors({state.c_str(), state.size()}, "the pickled fit");
  return fit_from_file(nlohmann::json::parse(file.metadata.at(kFitPart)), "", file);
}

}  // namespace

void bind_models(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Fit>(module, "Fit", "One solved problem: a regression, or one class against the rest.")
      .def_prop_ro(
          "dual", [](const Fit& self) { return to_numpy(self.expansion.dual); }, nb::rv_policy::automatic,
          "Those of one output after those of another.")
      .def_prop_ro("n_outputs", &Fit::n_outputs)
      .def_prop_ro("kernels", [](const Fit& self) { return self.expansion.kernels; })
      .def_prop_ro(
          "scale", [](const Fit& self) { return to_numpy(self.expansion.scale); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "norms", [](const Fit& self) { return to_numpy(self.certificate.norms); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "weights", [](const Fit& self) { return to_numpy(self.active_weights()); }, nb::rv_policy::automatic)
      .def_prop_ro("intercepts",
                   [](const Fit& self) {
                     std::vector<double> each;
                     for (Index k = 0; k < self.n_outputs(); ++k) each.push_back(self.intercept(k));
                     return each;
                   })
      .def_prop_ro(
          "covariate_coef", [](const Fit& self) { return to_numpy(self.covariate_coef()); }, nb::rv_policy::automatic,
          "(covariates, outputs)")
      .def_prop_ro("options", &problem_options, "The problem, as a part of the options of training.")
      .def_prop_ro("alpha", [](const Fit& self) { return self.problem.alpha; })
      .def_prop_ro("primal", [](const Fit& self) { return self.certificate.primal; })
      .def_prop_ro("dual_objective", [](const Fit& self) { return self.certificate.dual_objective; })
      .def_prop_ro("gap", [](const Fit& self) { return self.certificate.relative_gap; })
      .def_ro("status", &Fit::status)
      .def_ro("message", &Fit::message)
      .def_ro("iterations", &Fit::iterations)
      .def_ro("seconds", &Fit::seconds)
      .def("__getstate__", &fit_state)
      .def("__setstate__", [](Fit* self, const nb::bytes& state) { new (self) Fit(fit_from_state(state)); });
  nb::class_<Model>(module, "Model", "What is kept of a training run.")
      .def_ro("classes", &Model::classes)
      .def_ro("targets", &Model::targets)
      .def_ro("n_samples", &Model::n_samples)
      .def_ro("kernel_names", &Model::kernel_names)
      .def_ro("tol", &Model::tol)
      .def_rw("seconds_input", &Model::seconds_input)
      .def_prop_ro("converged", &Model::converged)
      .def_prop_ro("is_survival", &Model::is_survival)
      .def_prop_ro(
          "baseline_times", [](const Model& self) { return to_numpy(self.survival.value().steps); },
          nb::rv_policy::automatic, "All different times.")
      .def_prop_ro(
          "baseline_hazard", [](const Model& self) { return to_numpy(self.survival.value().hazard); },
          nb::rv_policy::automatic, "Cumulated, at these times.")
      .def_prop_ro(
          "psd", [](const Model& self) { return to_string(self.repair.method); }, "How Gram matrices were repaired.")
      .def_prop_ro("is_table", [](const Model& self) { return self.table.has_value(); })
      .def_prop_ro(
          "columns",
          [](const Model& self) { return self.table ? self.table->preparation.columns : std::vector<std::string>{}; })
      .def_prop_ro("categories",
                   [](const Model& self) {
                     return self.table ? self.table->preparation.categories : std::vector<std::vector<std::string>>{};
                   })
      .def_prop_ro(
          "sources",
          [](const Model& self) {
            return self.table ? self.table->preparation.views.names : std::vector<std::string>{};
          },
          "The tables that the columns came from; none: one.")
      .def_prop_ro(
          "source_of_column",
          [](const Model& self) { return self.table ? self.table->preparation.views.of_column : std::vector<Index>{}; })
      .def_prop_ro("missing_view",
                   [](const Model& self) {
                     return std::string(name_of(self.table ? self.table->preparation.views.missing : Views{}.missing));
                   })
      .def_prop_ro("kernel_specs", &kernel_specs)
      .def_prop_ro("covariates", [](const Model& self) { return self.covariates.names; })
      .def_prop_ro(
          "covariate_columns",
          [](const Model& self) {
            std::vector<std::string> columns;
            if (self.table)
              for (const CovariateTerm& term : self.table->preparation.covariates)
                if (term.category <= 1) columns.push_back(self.table->preparation.columns[term.column]);
            return columns;
          },
          "The columns of the table that they come from.")
      .def_prop_ro(
          "imputes", [](const Model& self) { return self.table && self.table->preparation.imputer.has_value(); },
          "Whether it fills in missing cells of new rows.")
      .def_prop_ro("standardized",
                   [](const Model& self) { return self.table && self.table->preparation.standardizer.has_value(); })
      .def_prop_ro("kernel_groups",
                   [](const Model& self) {
                     std::vector<std::string> groups;
                     if (self.table)
                       for (const auto& spec : self.table->specs) groups.push_back(spec->group);
                     return groups;
                   })
      .def_prop_ro(
          "sample_weights", [](const Model& self) { return to_numpy(self.sample_weights); }, nb::rv_policy::automatic)
      .def_ro("fits", &Model::fits)
      .def("certificate_json", &certificate_json)
      .def(
          "scores",
          [](const Model& self, const TableIn& X, int threads, const std::optional<MatrixIn>& present,
             const std::string& device) {
            return to_numpy(score_all(*table_scorer(self, X, threads, present, device)).values);
          },
          "X"_a, "threads"_a, "present"_a = nb::none(), "device"_a = "cpu", "(n, outputs) of the rows of a table.")
      .def(
          "gram_scores",
          [](const Model& self, const GramsIn<double>& K, int threads) {
            return to_numpy(score_all(*gram_scorer(self, K, threads)).values);
          },
          "K"_a, "threads"_a, "(n, outputs) of rows given by precomputed kernels.")
      .def(
          "device_gram_scores",
          [](const Model& self, const DeviceGramsIn& K, int threads) {
            return to_numpy(score_all(*device_gram_scorer(self, K, threads)).values);
          },
          "K"_a.noconvert(), "threads"_a, "The same, of kernels in the memory of a GPU.")
      .def(
          "shares",
          [](const Model& self, const TableIn& X, int threads, const std::optional<MatrixIn>& present,
             const std::string& device) {
            return spread(self, score_all(*table_scorer(self, X, threads, present, device)));
          },
          "X"_a, "threads"_a, "present"_a = nb::none(), "device"_a = "cpu", "(outputs, n, M)")
      .def(
          "gram_shares",
          [](const Model& self, const GramsIn<double>& K, int threads) {
            return spread(self, score_all(*gram_scorer(self, K, threads)));
          },
          "K"_a, "threads"_a, "(outputs, n, M)")
      .def(
          "device_gram_shares",
          [](const Model& self, const DeviceGramsIn& K, int threads) {
            return spread(self, score_all(*device_gram_scorer(self, K, threads)));
          },
          "K"_a.noconvert(), "threads"_a, "The same, of kernels in the memory of a GPU.")
      .def(
          "probabilities",
          [](const Model& self, const MatrixIn& scores) { return to_numpy(probabilities(self, to_matrix(scores))); },
          "scores"_a)
      .def(
          "save", [](const Model& self, const std::string& path) { write_file(path, to_bytes(self)); }, "path"_a)
      .def("__getstate__", [](const Model& self) { return as_bytes(to_bytes(self)); })
      .def("__setstate__", [](Model* self, const nb::bytes& state) {
        new (self) Model(model_from_bytes({state.c_str(), state.size()}, "the pickled model"));
      });
  module.def("load_model", &load_model, "path"_a);
}

}  // namespace spicymkl::python
