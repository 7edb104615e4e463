#include "checkpoint_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "interrupt.hpp"
#include "io/atomic_file.hpp"
#include "io/gzip.hpp"
#include "io/mapped_file.hpp"
#include "kernel/kernel_json.hpp"
#include "option_registry.hpp"
#include "option_values.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

namespace {

void add_file(const std::string& name, const std::string& path, RunIdentity& identity) {
  std::string& value = identity["the content of " + name];
  if (path.empty()) return;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status))
    throw InputError(
        fmt::format("'{}' is not a plain file, so that a resumed run could not read it again; save it to a file, or "
                    "leave out --checkpoint",
                    path));
  const MappedFile file = map_file(path);
  value = fmt::format("{} bytes, checksum {:08x}", file.bytes.size(), checksum(file.bytes));
}

/// The answer does not depend on how much memory and how many threads there are, and a resumed run may take longer than
/// was asked at first: max_iter and max_seconds may be others.
RunIdentity identity_of(const LearningOptions& options) {
  RunIdentity identity;
  // How classes are learned: see CheckpointFile::check.
  add_values(problem_option_table(), options.problem, {"threads", "max_iter", "max_seconds", "multi_class"}, identity);
  identity["the number of --gram files"] = fmt::format("{}", options.grams.grams.size());
  for (std::size_t k = 0; k < options.grams.grams.size(); ++k)
    add_file(fmt::format("--gram {}", k + 1), options.grams.grams[k], identity);
  identity["psd"] = options.grams.psd;
  add_file("--labels", options.grams.labels, identity);
  identity["weights"] = options.grams.weights;
  if (std::filesystem::exists(options.grams.weights)) add_file("--weights", options.grams.weights, identity);
  // Which kernels: see kernels_text.
  add_values(kernel_option_table(), options.kernels, {"memory", "device", "kernels", "groups"}, identity);
  const TableInput& table = options.table;
  std::vector<std::string> names;
  for (const auto& [name, path] : table.sources()) {
    add_file(table.several() ? "DATA " + name : "DATA", path, identity);
    names.push_back(name);
  }
  if (table.several()) identity["the sources"] = fmt::format("{}", fmt::join(names, ","));
  identity["target"] = fmt::format("{}", fmt::join(table.target, ","));
  identity["time"] = table.time;
  identity["event"] = table.event;
  if (!table.given()) {
    add_file("--time", table.time, identity);
    add_file("--event", table.event, identity);
  }
  identity["format"] = table.format;
  identity["header"] = table.header;
  identity["id"] = table.id;
  identity["drop"] = fmt::format("{}", fmt::join(table.drop, ","));
  identity["covariates"] = fmt::format("{}", fmt::join(table.covariates, ","));
  for (const std::string& file : table.given() ? std::vector<std::string>{} : table.covariates)
    add_file("--covariates", file, identity);
  identity["categorical"] = fmt::format("{}", fmt::join(table.categorical, ","));
  return identity;
}

/// The kernels themselves, with all that presets and lists leave to the data and to further files.
std::string kernels_text(const TrainingInput& input) {
  if (!input.table) return "";
  std::string all;
  for (const FittedKernel& kernel : input.table->kernels) all += fitted_kernel_to_json(kernel).dump();
  return fmt::format("{} kernels, checksum {:08x}", input.table->kernels.size(), checksum(all));
}

}  // namespace

void add_checkpoint_options(CLI::App& app, CheckpointOptions& options) {
  app.add_option("--checkpoint", options.path, "keep the state of the run in this file, for --resume");
  app.add_flag("--resume", options.resume, "resume from the checkpoint, if there is one")->group(kRareGroup);
  app.add_option("--checkpoint-every", options.every, "seconds from one checkpoint to the next")
      ->group(kRareGroup)
      ->capture_default_str();
}

CheckpointFile::CheckpointFile(CheckpointOptions options, const LearningOptions& learning)
    : options_(std::move(options)) {
  if (!(options_.every >= 0 && std::isfinite(options_.every)))
    throw InputError(fmt::format("checkpoint-every is {}, but it must be seconds, 0 or more", options_.every));
  if (options_.path.empty()) {
    if (options_.resume) throw InputError("--resume needs --checkpoint: the file to resume from");
    return;
  }
  const AtomicFile can_be_written(options_.path);
  lock_.emplace(options_.path);
  std::error_code error;
  exists_ = std::filesystem::exists(options_.path, error);
  if (exists_ && !options_.resume)
    throw InputError(
        fmt::format("'{}' exists: give --resume to continue from it, or remove it to start again", options_.path));
  identity_ = identity_of(learning);
  if (exists_) load_checkpoint(options_.path, identity_);  // reported before any kernel is computed
}

void CheckpointFile::check(const Target& target) {
  // What it comes to, as "auto" may mean another way in another version.
  if (target.classes.size() > 2) identity_["multi_class"] = name_of(target.multi_class);
  if (exists_) load_checkpoint(options_.path, identity_);
}

TrainingState CheckpointFile::earlier(const TrainingInput& input) {
  if (options_.path.empty()) return {};
  identity_["the list of kernels"] = kernels_text(input);
  if (!exists_) return {};
  TrainingState state = load_checkpoint(options_.path, identity_);
  check_state(state, input);
  return state;
}

void CheckpointFile::offer(const std::function<TrainingState()>& state, bool last) {
  const bool due = last || interrupted() || clock_.seconds() >= next_;
  if (options_.path.empty() || !due) return;
  const TrainingState now = state();
  if (now.fits.empty() && now.current_start.empty()) return;  // nothing to resume from
  const Stopwatch writing;
  try {
    write_file(options_.path, checkpoint_bytes(now, identity_));
  } catch (const InputError& problem) {
    if (!failed_) say("{}; the run continues without a new checkpoint", problem.what());
    failed_ = true;
  }
  // A large state on a slow disk must not take more than a small part of the time.
  next_ = clock_.seconds() + std::max(options_.every, 20 * writing.seconds());
}

void CheckpointFile::remove() const {
  std::error_code error;
  if (!options_.path.empty()) std::filesystem::remove(options_.path, error);
}

}  // namespace spicymkl::cli
