#include "table_problems.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spicymkl {

namespace {

constexpr std::size_t kMostLines = 15;

/// The list is headed by the file, so that its lines need not repeat it.
std::string without_path(const std::string& text, const std::string& path) {
  for (const char* const behind : {": ", ", "})
    if (text.starts_with(path + behind)) return text.substr(path.size() + 2);
  return text;
}

std::string listed(const std::string& path, const std::vector<TableProblem>& problems) {
  if (problems.size() == 1) return problems.front().text;
  std::string text = fmt::format("{}: {} problems", path, problems.size());
  for (std::size_t k = 0; k < std::min(kMostLines, problems.size()); ++k)
    text += "\n  " + without_path(problems[k].text, path);
  if (problems.size() > kMostLines) text += fmt::format("\n  … and {} more", problems.size() - kMostLines);
  return text;
}

}  // namespace

TableProblems::TableProblems(const std::string& path, std::vector<TableProblem> problems)
    : InputError(listed(path, problems)), problems_(std::move(problems)) {}

}  // namespace spicymkl
