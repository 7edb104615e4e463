// --checkpoint and --resume: the state of a run is written now and then, and a later run resumes from it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "core/stopwatch.hpp"
#include "learning.hpp"
#include "pipeline/checkpoint.hpp"
#include "run_lock.hpp"

namespace spicymkl::cli {

struct CheckpointOptions {
  std::string path;
  bool resume = false;
  double every = 5;  ///< seconds
};

void add_checkpoint_options(CLI::App& app, CheckpointOptions& options);

class CheckpointFile {
 public:
  /// Refuses what cannot work before anything is computed: a place that cannot be written, a checkpoint that a run is
  /// working on, a file that is there without --resume, the checkpoint of another run. Reads all input files once, to
  /// know them again.
  CheckpointFile(CheckpointOptions options, const LearningOptions& learning);

  /// Throws InputError where an earlier run learned its classes in another way. Before any kernel is computed.
  void check(const Target& target);
  /// There was one to resume from.
  bool exists() const { return exists_; }
  /// What an earlier run on this input left; empty if there is nothing.
  TrainingState earlier(const TrainingInput& input);
  /// Writes the state if the last time is long enough ago, or if this is or may be the last. A disk that is full is
  /// reported once and does not end the run.
  void offer(const std::function<TrainingState()>& state, bool last);
  /// The run has reached its end.
  void remove() const;

 private:
  CheckpointOptions options_;
  std::optional<RunLock> lock_;
  RunIdentity identity_;
  bool exists_ = false;
  Stopwatch clock_;
  double next_ = 0;  ///< seconds of the clock
  bool failed_ = false;
};

}  // namespace spicymkl::cli
