#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "file_roles.hpp"
#include "gram_data.hpp"
#include "new_rows.hpp"
#include "option_registry.hpp"
#include "option_rules.hpp"
#include "pipeline/table_check.hpp"
#include "pipeline/training_options.hpp"
#include "ranks.hpp"
#include "say.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/bank/psd_repair.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_table.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct VerifyCommand {
  std::string model;
  TableInput table;
  GramInput grams;
  std::optional<double> tol;  ///< none: the tolerance the model was trained for
  int threads = 0;
  bool json = false;
  const CLI::App* app = nullptr;  ///< knows which options were given
};

/// Kernels and labels, and what in the model does not agree with them.
struct Evidence {
  std::shared_ptr<const KernelBank> bank;
  Target target;
  Vector sample_weights;
  std::string contradiction;
};

void check_sizes(const Model& model, Index n_kernels, Index n_samples) {
  if (model.n_kernels() != n_kernels || model.n_samples != n_samples)
    throw InputError(fmt::format("the model was trained on {} kernels of {} samples, but those given are {} of {}",
                                 model.n_kernels(), model.n_samples, n_kernels, n_samples));
}

Evidence gram_evidence(const VerifyCommand& command, const Model& model) {
  GramInput input = command.grams;
  input.psd = to_string(model.repair.method);
  if (model.is_survival()) {
    input.labels = command.table.time;
    input.events = command.table.event;
  }
  GramData data = read_gram_data(input, command.threads);
  check_sizes(model, data.bank->n_kernels(), data.bank->n_samples());
  Evidence evidence{repaired(data.bank, data.psd).bank, truth_of(model, labels_of(data, input)),
                    data.weights.size() > 0 ? data.weights : model.sample_weights, ""};
  evidence.target.covariates = data.covariates.count() > 0 ? std::move(data.covariates) : model.covariates;
  if (evidence.target.covariates.count() != model.covariates.count())
    throw InputError(fmt::format("'{}' has {} columns, but the model has {} covariates", input.covariates,
                                 evidence.target.covariates.count(), model.covariates.count()));
  return evidence;
}

bool close(const Matrix& kept, const Matrix& fresh) {
  constexpr double kOtherOrder = 1e-9;  // sums of other threads
  return kept.rows() == fresh.rows() && kept.cols() == fresh.cols() &&
         (kept - fresh).norm() <= kOtherOrder * fresh.norm();
}

bool same(const FeatureConstants& kept, const FeatureConstants& fresh) {
  return kept.points == fresh.points && kept.whitening == fresh.whitening && close(kept.offset, fresh.offset);
}

/// The certificate speaks of kernels on all rows; predictions use the rows and constants in the model. They must agree.
std::string contradiction(const Model& model, const Samples& samples, const std::vector<FittedKernel>& kernels,
                          int threads) {
  const TableModel& table = *model.table;
  const auto present = [](const Samples& rows, Index i, Index j) { return rows.views.has(i, j); };
  for (Index j = 0; j < std::ssize(table.used_columns); ++j)
    for (Index i = 0; i < std::ssize(table.kept_rows); ++i)
      if (table.rows->values(i, j) != samples.values(table.kept_rows[i], table.used_columns[j]) ||
          present(*table.rows, i, j) != present(samples, table.kept_rows[i], table.used_columns[j]))
        return fmt::format("the model's training row {} differs from the table in column '{}'", table.kept_rows[i] + 1,
                           table.rows->columns[j]);
  const std::vector<Matrix> sums = feature_sums(samples, kernels, table.active, model.fits, threads);
  for (std::size_t k = 0; k < table.active.size(); ++k) {
    const Normalization& kept = table.kernels[k].normalization();
    const Normalization& fresh = kernels[table.active[k]].normalization();
    if (kept.trace != fresh.trace || kept.grand_mean != fresh.grand_mean || kept.row_means != fresh.row_means)
      return fmt::format("the model's normalisation of kernel '{}' differs from the table's",
                         table.kernels[k].spec().name);
    if (table.kernels[k].has_features() &&
        (!same(table.kernels[k].features().constants(), kernels[table.active[k]].features().constants()) ||
         !close(table.feature_sums[k], sums[k])))
      return fmt::format("the model's features of kernel '{}' differ from the table's", table.kernels[k].spec().name);
  }
  return "";
}

Evidence table_evidence(const VerifyCommand& command, const Model& model) {
  if (!model.table)
    throw InputError(
        fmt::format("{}: the model was trained on precomputed kernels; give --gram and --labels", command.model));
  const TableModel& trained = *model.table;
  TableInput input = command.table;
  name_target(model, input);
  TableOptions how = table_options(input, command.threads);
  how.weights = command.grams.weights;
  // The order in which the rows were learned from: an identity sorted them, if there is one.
  const RowOrder order = trained.preparation.id_name.empty() ? RowOrder::as_they_come : RowOrder::by_id;
  Table table = read_rows_for(trained.preparation, input, how, trained.preparation.views.missing, order);
  if (!how.weights.empty() && table.weight_name.empty()) read_weights(table, how.weights);
  check_table(table, true);
  Evidence evidence;
  evidence.sample_weights = table.weights.size() > 0 ? table.weights : model.sample_weights;
  evidence.target = truth_of(model, table);
  const std::string path = table.path;
  const Samples samples = trained.preparation.apply(std::move(table));
  check_sizes(model, model.n_kernels(), samples.n_rows());
  std::vector<KernelSpec> specs;
  for (const auto& spec : trained.specs) specs.push_back(*spec);
  const auto kernels = fit_kernels(std::move(specs), samples, path, command.threads);
  evidence.target.covariates = model.covariates;
  if (model.covariates.count() > 0)
    evidence.target.covariates.values = covariate_values(samples, trained.preparation.covariates);
  evidence.contradiction = contradiction(model, samples, kernels, command.threads);
  evidence.bank =
      make_exact_bank(std::make_shared<const Samples>(samples), kernels,
                      {.threads = command.threads, .maker = bank_maker()}, std::numeric_limits<double>::infinity());
  return evidence;
}

std::vector<std::string> files_of(const VerifyCommand& command) {
  FileRoles files;
  files.add_input("MODEL", command.model);
  files.add_inputs("DATA", command.table.paths());
  files.add_inputs("--gram", command.grams.grams);
  files.add_input("--labels", command.grams.labels);
  if (!command.table.given()) {
    files.add_input("--time", command.table.time);
    files.add_input("--event", command.table.event);
  }
  files.add_input("--weights", command.grams.weights);
  files.add_input("--covariates", command.grams.covariates);
  return files.paths();
}

struct Verdict {
  bool holds;
  bool same_rows;  ///< the model's own rows and constants are those of the table
  Certificate certificate;
};

Verdict judge(const Evidence& evidence, const Fit& fit, Index number, double tol) {
  const Problem problem = make_problem(evidence.bank, evidence.target, number, fit.problem, evidence.sample_weights);
  Expansion expansion = fit.expansion;
  expansion.unpenalised = covariate_basis(evidence.target, fit.problem).of_columns(expansion.unpenalised);
  const Certificate now = certify(problem, expansion, dual_bound(problem, fit.certificate.dual));
  const bool same_rows = evidence.contradiction.empty();
  return {now.relative_gap <= tol && same_rows, same_rows, now};
}

Json verdict_json(const Verdict& verdict, double tol) {
  return {{"holds", verdict.holds},
          {"primal", verdict.certificate.primal},
          {"dual_objective", verdict.certificate.dual_objective},
          {"relative_gap", verdict.certificate.relative_gap},
          {"tol", tol}};
}

std::string verdict_text(const Verdict& verdict, double tol) {
  const Certificate& now = verdict.certificate;
  return fmt::format("{}: primal {:.10g}, dual {:.10g}, relative gap {:.3e} {} {:g}{}\n",
                     verdict.holds ? "holds" : "does not hold", now.primal, now.dual_objective, now.relative_gap,
                     now.relative_gap <= tol ? "<=" : ">", tol,
                     verdict.same_rows ? "" : ", but the model is not one of this table");
}

/// All that can be known to be wrong before anything is read.
void check_options(const VerifyCommand& command) {
  refuse_behind(*command.app, "--gram", "MODEL");
  if (command.table.target.size() > 1) refuse_behind(*command.app, "--target", "MODEL");
  const bool table = command.table.given();
  require_one_source(*command.app, table, !command.grams.grams.empty(),
                     "the training data: give the table (DATA), or --gram and --labels");
  if (!table) check_survival_options(command.table);
  if (!table && command.grams.labels.empty() && !command.table.survival())
    throw InputError("--gram needs --labels: a file with one label per sample, .npy or .txt");
  refuse_unused(*command.app, format_rules(command.table));
  refuse_unused(*command.app, survival_rules(command.table));
  refuse_unused(*command.app, {{{"--target"}, table, "with --gram, whose samples are labelled by --labels"},
                               {{"--id"}, table, "with --gram, which has no columns"},
                               {{"--labels"}, !table, "with a table, only with --gram (--target names the column)"},
                               {{"--covariates"}, !table, "with a table, where the model finds its columns by name"}});
  check_threads(command.threads);
  table_options(command.table, command.threads);
  if (command.tol && !(*command.tol > 0))
    throw InputError(fmt::format("tol is {}, but the relative duality gap that must hold is above 0", *command.tol));
}

int run(const VerifyCommand& command) {
  check_options(command);
  compare_over_ranks(files_of(command));
  const Model model = load_model(command.model);
  check_target_options(model, command.table, command.grams.labels);
  const Evidence evidence =
      command.grams.grams.empty() ? table_evidence(command, model) : gram_evidence(command, model);
  const double tol = command.tol.value_or(model.tol);
  bool holds = true;
  Json list = Json::array();
  std::string text = evidence.contradiction.empty() ? "" : evidence.contradiction + "\n";
  for (Index f = 0; f < std::ssize(model.fits); ++f) {
    const Verdict verdict = judge(evidence, model.fits[f], f, tol);
    holds = holds && verdict.holds;
    list.push_back(verdict_json(verdict, tol));
    if (model.fits.size() > 1) {
      const Fit& fit = model.fits[f];
      list.back()[fit.target.empty() ? "positive_class" : "target"] = fit.name();
      text += fmt::format("{}: ", fit.title());
    }
    text += verdict_text(verdict, tol);
  }
  const Json json = model.fits.size() == 1
                        ? list.front()
                        : Json{{"holds", holds}, {model.targets.empty() ? "classes" : "targets", list}};
  if (command.json) show_json(json.dump());
  else show("{}", text);
  return holds ? 0 : 1;
}

}  // namespace

void add_verify(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<VerifyCommand>();
  CLI::App* app = program.add_subcommand("verify", "recompute a model's certificate from scratch");
  app->footer(
      "Exit status 1 if it does not hold.\n"
      "Example: spicymkl verify m.safetensors data.csv\n"
      "         spicymkl verify m.safetensors --gram K.npy --labels y.npy");
  app->add_option("MODEL", command->model, "model file")->required();
  add_data(*app, command->table, "the table that the model was trained on; several: NAME=FILE");
  app->add_option("--target", command->table.target,
                  "column that was learned, or several (default: their names in training)");
  add_survival_options(*app, command->table);
  add_id_option(*app, command->table);
  add_format_options(*app, command->table);
  add_gram_input(*app, command->grams);
  app->add_option("--covariates", command->grams.covariates,
                  "with --gram: the covariates, N x c, .npy (default: those in the model)")
      ->group(kRareGroup);
  app->add_option("--tol", command->tol, "relative gap that must hold (default: the model's own tol)");
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  command->app = app;
  app->parse_complete_callback([command] { take_tables_from_target(command->table); });
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
