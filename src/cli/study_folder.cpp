#include "study_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/atomic_file.hpp"
#include "report/study_page.hpp"
#include "spicymkl/core/error.hpp"
#include "study/study_tables.hpp"

namespace spicymkl::cli {

namespace {

constexpr const char* kPlanFile = "study-plan.json";

/// None where there is no such file.
std::optional<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path))
    throw InputError(
        fmt::format("cannot make the folder '{}': {}", path, error ? error.message() : "there is a file of that name"));
}

/// What a study does not put there. Files that are being written begin with a dot or with the name they will have.
void refuse_foreign_files(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && !name.starts_with(kPlanFile) && name != "parts")
      throw InputError(fmt::format("'{}' holds '{}' and no study; give a new folder, which will be made", path, name));
  }
}

}  // namespace

StudyFolder::StudyFolder(std::string path, const StudyDescription& description)
    : path_(std::move(path)), description_(description) {
  std::string text = description_json(description);
  make_folder(path_);
  if (const auto there = text_of(place(kPlanFile))) {
    description_ = parse_description(*there, place(kPlanFile));
    check_same_study(description_, description, path_);
    text = *there;
  } else {
    refuse_foreign_files(path_);
    write_file(place(kPlanFile), text);
  }
  make_folder(place("parts"));
  fingerprint_ = fingerprint(text);
}

StudyFolder::StudyFolder(std::string path) : path_(std::move(path)) {
  if (!std::filesystem::is_directory(path_)) throw InputError(fmt::format("there is no folder '{}'", path_));
  const auto there = text_of(place(kPlanFile));
  if (!there)
    throw InputError(fmt::format("'{}' holds no study: there is no '{}' in it; give the folder that study -o wrote",
                                 path_, kPlanFile));
  description_ = parse_description(*there, place(kPlanFile));
  fingerprint_ = fingerprint(*there);
}

std::optional<PartResult> StudyFolder::part(const StudyTask& task) const {
  const auto text = text_of(part_file(task));
  return text ? parse_part(*text, task, fingerprint_, description_) : std::nullopt;
}

void StudyFolder::write_part(const StudyTask& task, const PartResult& result) const {
  write_file(part_file(task), part_json(result, task, fingerprint_));
}

void StudyFolder::write_results(const StudySummary& summary) const {
  auto contents = study_tables(description_, summary);
  contents.emplace_back("study.json", study_json(description_, summary));
  contents.emplace_back("study.html", study_html(description_, summary));
  std::vector<AtomicFile> files;
  for (const auto& [name, text] : contents) files.emplace_back(place(name)).write(text);
  std::vector<AtomicFile*> together;
  for (AtomicFile& file : files) together.push_back(&file);
  commit_together(together);
}

}  // namespace spicymkl::cli
