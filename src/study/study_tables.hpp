// The results of a study as files for other programs: tidy tables, and one JSON text. They hold no times and no paths:
// the same study gives the same bytes.
#pragma once

#include "study_summary.hpp"

namespace spicymkl {

/// One row per split: what was chosen, and every measure on the rows that took no part.
std::string scores_csv(const StudyDescription& study, const StudySummary& summary);
/// One row per repeat and row of the data, from 1: f(x) by the model that had not seen it.
std::string predictions_csv(const StudyDescription& study, const StudySummary& summary);
/// One row per kernel: how often it is selected, and the bound that goes with it.
std::string selection_csv(const StudyDescription& study, const StudySummary& summary);
/// One row per source: the same, its weight, and what shuffling its rows costs.
std::string sources_csv(const StudyDescription& study, const StudySummary& summary);
/// One row per strength and kernel or source that is ever selected.
std::string stability_csv(const StudyDescription& study, const StudySummary& summary);
/// One row per shuffle of the target; number 0 is the target as it is.
std::string permutations_csv(const StudyDescription& study, const StudySummary& summary);

/// All of these tables by the names of their files.
std::vector<std::pair<std::string, std::string>> study_tables(const StudyDescription& study,
                                                              const StudySummary& summary);

std::string study_json(const StudyDescription& study, const StudySummary& summary);

/// For people, on the terminal.
std::string study_text(const StudyDescription& study, const StudySummary& summary);

}  // namespace spicymkl
