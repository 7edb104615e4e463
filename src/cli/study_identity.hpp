// What makes two runs parts of one study: the same rows, and the same options.
#pragma once

#include "learning.hpp"
#include "selection/group_folds.hpp"
#include "selection/study_options.hpp"

namespace spicymkl::cli {

/// Options and rows of a study, as they were read.
struct StudyRequest {
  const LearningOptions& learning;
  const CvChoices& choices;
  const StudyOptions& study;
  const LearningSource& source;
  const RowGroups& groups;
};

/// The column that is learned, or those of survival times.
std::string target_text(const TableInput& table);

/// Rows are known by what was read of them, whatever the files are called. Threads and time limits do not matter: the
/// answer is the same.
RunIdentity study_identity(const StudyRequest& request);

}  // namespace spicymkl::cli
