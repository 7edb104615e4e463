// The end of a study: its parts put together, or what is missing.
#pragma once

#include "options.hpp"
#include "study_folder.hpp"

namespace spicymkl::cli {

/// Writes and prints the results and returns 0 where every part is there; else names the missing ones and returns 1.
int merge_parts(const StudyFolder& folder, const std::string& path, const OutputOptions& output);

}  // namespace spicymkl::cli
