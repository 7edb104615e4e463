#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "core/wording.hpp"
#include "file_roles.hpp"
#include "interrupt.hpp"
#include "io/atomic_file.hpp"
#include "option_registry.hpp"
#include "option_rules.hpp"
#include "pipeline/input_notes.hpp"
#include "pipeline/table_check.hpp"
#include "pipeline/training_options.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/npy.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct KernelsCommand {
  TableInput table;
  KernelOptions kernels;
  std::string output;
  bool list = false;
  bool json = false;
  bool quiet = false;
  int threads = 0;
  const CLI::App* app = nullptr;  ///< knows which options were given
};

/// Reported before the first byte is written, not after an hour.
void check_space(const std::string& path, double bytes) {
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  constexpr double kMebibyte = 1024.0 * 1024;
  if (!error && static_cast<double>(space.available) < bytes)
    throw InputError(
        fmt::format("cannot write '{}': it takes {:.0f} MiB, but the disk has {:.0f} MiB left; free some, or use "
                    "fewer kernels or rows",
                    path, bytes / kMebibyte, static_cast<double>(space.available) / kMebibyte));
}

/// One matrix in memory at a time.
void write_grams(const TrainingTable& table, AtomicFile& file, const KernelsCommand& command) {
  const Index n = table.samples->n_rows(), n_kernels = std::ssize(table.kernels);
  const Watch watch = command_watch();
  const Progress progress(watch, command.quiet || command.json);
  WatchedTask task(watch, "kernels", n_kernels);
  watch_for_interrupts();
  file.write(npy_header({n_kernels, n, n}));
  Matrix gram(n, n);  // symmetric: its columns are its rows
  for (Index m = 0; m < n_kernels; ++m) {
    if (interrupted()) throw Interrupted();
    table.kernels[m].gram(*table.samples, gram, command.threads);
    file.write({reinterpret_cast<const char*>(gram.data()), static_cast<std::size_t>(gram.size()) * sizeof(double)});
    task.advance();
  }
  file.commit();
}

std::vector<std::string> column_names(const KernelSpec& spec, const Samples& samples) {
  std::vector<std::string> names;
  for (const Index j : spec.columns) names.push_back(samples.columns[j]);
  return names;
}

Json kernel_json(const KernelSpec& spec, const Samples& samples) {
  Json json = {{"name", spec.name},
               {"type", spec.type},
               {"parameters", spec.parameters},
               {"columns", column_names(spec, samples)},
               {"normalize", normalize_name(spec.normalize)}};
  if (spec.jitter != 0) json["jitter"] = spec.jitter;
  if (!spec.group.empty()) json["group"] = spec.group;
  return json;
}

void print_json(const TrainingTable& table, const KernelsCommand& command) {
  Json json = {{"n_samples", table.samples->n_rows()}, {"n_kernels", table.kernels.size()}};
  if (!command.output.empty()) json["file"] = command.output;
  json["kernels"] = Json::array();
  for (const FittedKernel& kernel : table.kernels)
    json["kernels"].push_back(kernel_json(kernel.spec(), *table.samples));
  show_json(json.dump());
}

/// A few names, or what stands for them: a kernel of thousands of columns is one line for a person; --json has them
/// all.
/// A third field, of kernels by features: "nystrom, 20 numbers per row".
std::string features_text(const FittedKernel& kernel) {
  if (!kernel.has_features()) return "";
  return fmt::format("\t{}, {} per row", feature_kind_name(kernel.spec().features.kind),
                     counted(kernel.features().width(), "number"));
}

std::string column_text(const KernelSpec& spec, const Samples& samples) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> names = column_names(spec, samples);
  const std::size_t count = names.size();
  if (count <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  if (static_cast<Index>(count) == samples.n_columns()) return fmt::format("all {} columns", count);
  names.resize(kShown);
  return fmt::format("{}, … ({} columns)", fmt::join(names, ", "), count);
}

void print_text(const TrainingTable& table, const KernelsCommand& command) {
  for (const FittedKernel& kernel : table.kernels) {
    if (command.list)
      show("{}\t{}{}\n", kernel.spec().name, column_text(kernel.spec(), *table.samples), features_text(kernel));
    else show("{}\n", kernel.spec().name);
  }
}

/// All that can be known to be wrong before the table is read.
TablePlan check_options(const KernelsCommand& command) {
  if (command.output.empty() && !command.list)
    throw InputError("kernels needs a file to write, -o K.npy; or --list to see the list alone");
  std::vector<OptionRule> rules = format_rules(command.table);
  check_tables(command.table);
  rules.push_back({{"--missing-view"}, command.table.several(), "on one table, whose samples have all of its columns"});
  rules.push_back({{"--list"},
                   !command.json || command.output.empty(),
                   "with --json and --output: the object has all columns anyway"});
  refuse_unused(*command.app, rules);
  check_threads(command.threads);
  TablePlan plan = make_table_plan(command.kernels, command.threads);
  parse_missing_view(command.kernels.missing_view);
  check_kernel_files(command.kernels.kernels, command.kernels.groups);
  FileRoles files;
  files.add_inputs("DATA", command.table.paths());
  files.add_input("--kernels", command.kernels.kernels);
  files.add_input("--groups", command.kernels.groups);
  files.add_output("--output", command.output);
  return plan;
}

int run(const KernelsCommand& command) {
  const TablePlan plan = check_options(command);
  std::optional<AtomicFile> file;
  if (!command.output.empty()) file.emplace(command.output);
  TableOptions how = table_options(command.table, command.threads);
  how.complete = !plan.impute;
  Table data = read_rows(command.table, how, parse_missing_view(command.kernels.missing_view));
  check_table(data, plan.impute.has_value());
  if (!command.quiet && !command.json) say_remarks(data);
  if (!data.row_index.empty() && !command.quiet && !command.json)
    say("{}: the unnamed first column numbers the rows and is not used (to use it, give it a name)", data.path);
  const TrainingTable table = make_training_table(std::move(data), plan.impute, plan.kernels, command.threads);
  if (!command.quiet && !command.json)
    for (const std::string& note : input_notes(table)) say("{}", note);
  if (file) {
    const auto n = static_cast<double>(table.samples->n_rows());
    check_space(command.output, static_cast<double>(table.kernels.size()) * n * n * sizeof(double));
    write_grams(table, *file, command);
  }
  if (command.json) print_json(table, command);
  else if (!command.quiet) print_text(table, command);
  return 0;
}

}  // namespace

void add_kernels(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<KernelsCommand>();
  CLI::App* app = program.add_subcommand("kernels", "write the Gram matrices of a table, or list its kernels");
  app->footer(
      "Prints the names of the kernels, in the order of the matrices.\n"
      "Example: spicymkl kernels data.csv --target y --kernels paper -o K.npy");
  add_data(*app, command->table, "table: .csv .tsv .libsvm .npy .npz, also .gz; or several, NAME=FILE")->required();
  add_column_options(*app, command->table);
  add_format_options(*app, command->table);
  add_options(*app, kernel_option_table(), command->kernels, {"memory", "device"});
  app->add_option("-o,--output", command->output, "M x N x N float64 .npy file to write");
  app->add_flag("--list", command->list, "print names and columns (all of them with --json); needs no output file");
  app->add_option("--threads", command->threads, "threads (0: all cores)")->capture_default_str();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  app->add_flag("--quiet", command->quiet, "print no progress and no names");
  command->app = app;
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
