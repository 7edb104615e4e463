// Many tasks of a study at once.
#pragma once

#include <functional>

#include "study_part.hpp"

namespace spicymkl {

/// Sees each result as it is there, one at a time.
using PartDone = std::function<void(const StudyTask& task, const PartResult& result)>;

/// Does the tasks on `threads` threads, one task on each; as many at once as the memory allows. False: the watch of the
/// study stopped them, and what was under way is lost.
bool run_tasks(const Study& study, const std::vector<StudyTask>& tasks, int threads, const PartDone& done);

}  // namespace spicymkl
