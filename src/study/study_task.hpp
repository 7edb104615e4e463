// The work of a study as a list of tasks, none of which needs another.
#pragma once

#include <string>
#include <vector>

#include "selection/study_options.hpp"
#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct StudyTask {
  enum class Kind {
    score,  ///< one part of one repeat: alpha chosen within the other parts, the model scored on this one
    pair,   ///< two halves of the rows, and which kernels a path selects in each
    null,   ///< the whole pipeline scored on a shuffled target; index 0 is the target as it is
  };
  Kind kind = Kind::score;
  Index index = 0;
  Index part = 0;  ///< of a score

  /// The name of its file, without extension: score-0003-2, pair-0001, null-0000.
  std::string name() const;
  bool operator==(const StudyTask&) const = default;
};

/// All tasks, in the order of their results.
std::vector<StudyTask> list_tasks(const StudyOptions& options);

/// The `number`-th of `count` shares of the tasks, both from 1.
struct Shard {
  Index number = 1;
  Index count = 1;
};

/// "2/5"; anything else is an InputError.
Shard parse_shard(const std::string& text);

/// Every count-th task, so that all shards have as much of each kind.
std::vector<StudyTask> tasks_of(const std::vector<StudyTask>& tasks, const Shard& shard);

}  // namespace spicymkl
