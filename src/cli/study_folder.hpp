// The folder of a study: what it is, its parts, and its results.
#pragma once

#include "study/study_part.hpp"
#include "study/study_summary.hpp"

namespace spicymkl::cli {

class StudyFolder {
 public:
  /// Makes the folder, or resumes the study in it. One that holds another study, or other things, is an
  /// InputError.
  StudyFolder(std::string path, const StudyDescription& description);
  /// The study that is there; an InputError where there is none.
  explicit StudyFolder(std::string path);

  const StudyDescription& description() const { return description_; }
  /// The result of a task; none: it is yet to be done.
  std::optional<PartResult> part(const StudyTask& task) const;
  void write_part(const StudyTask& task, const PartResult& result) const;

  /// Tables, JSON and page, from the parts of all tasks.
  void write_results(const StudySummary& summary) const;

 private:
  std::string place(const std::string& name) const { return path_ + "/" + name; }
  std::string part_file(const StudyTask& task) const { return place("parts/" + task.name() + ".json"); }
  void make_folders() const;

  std::string path_;
  StudyDescription description_;
  std::string fingerprint_;
};

}  // namespace spicymkl::cli
