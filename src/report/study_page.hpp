// The page of a study: scores with their spread, selection with error control, p-values. It holds no times: the same
// study gives the same bytes.
#pragma once

#include "study/study_summary.hpp"

namespace spicymkl {

std::string study_html(const StudyDescription& study, const StudySummary& summary);

}  // namespace spicymkl
