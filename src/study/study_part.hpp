// The result of one task as the text of a file.
#pragma once

#include <optional>
#include <variant>

#include "study_description.hpp"

namespace spicymkl {

using PartResult = std::variant<SplitResult, PairResult, NullResult>;

/// Does the task.
PartResult find_part(const Study& study, const StudyTask& task);

std::string part_json(const PartResult& result, const StudyTask& task, const std::string& fingerprint);

/// None for a text that is damaged, or not that of this task in this study.
std::optional<PartResult> parse_part(const std::string& text, const StudyTask& task, const std::string& fingerprint,
                                     const StudyDescription& study);

}  // namespace spicymkl
