// What a study is, in a file beside its results: enough to know it again, and to put its parts together without data.
#pragma once

#include "pipeline/checkpoint.hpp"
#include "study.hpp"

namespace spicymkl {

struct StudyDescription {
  RunIdentity identity;  ///< of data and options
  std::string data;      ///< what the user calls the rows
  std::string target;    ///< the column
  Index n_rows = 0;
  std::vector<std::string> ids;      ///< of the rows; empty: they have none
  std::vector<std::string> classes;  ///< empty for numbers
  std::string group;                 ///< the column or file of groups; empty: none
  Index n_groups = 0;
  StudyOptions options;
  std::vector<Metric> measures;
  bool relative = true;  ///< alphas are multiples of alpha_max
  AlphaGrid strengths;   ///< at which selection is counted
  std::vector<RegisteredKernel> kernels;
  std::vector<std::string> sources;

  /// As Target::n_scores.
  Index n_scores() const { return classes.size() > 2 ? std::ssize(classes) : 1; }
};

StudyDescription describe(const Study& study, const Target& target);

std::string description_json(const StudyDescription& description);
/// A text that is no such description is an InputError that names `path`.
StudyDescription parse_description(const std::string& text, const std::string& path);

/// Two studies in one folder are an InputError, which names a difference.
void check_same_study(const StudyDescription& there, StudyDescription here, const std::string& folder);

/// Parts carry it, so that they are known as those of this study.
std::string fingerprint(const std::string& description_text);

}  // namespace spicymkl
