#include "table_problems_text.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "command_line.hpp"

namespace spicymkl::cli {

namespace {

using Values = std::map<std::string, std::vector<std::string>>;

bool takes_several(const std::string& option) { return option == "--drop" || option == "--categorical"; }

/// What the options become; none if there is a problem that no option of the command solves.
std::optional<Values> solved(const std::vector<TableProblem>& problems, const CLI::App& app) {
  Values values;
  for (const TableProblem& problem : problems) {
    const CLI::Option* option = problem.option.empty() ? nullptr : app.get_option_no_throw(problem.option);
    if (option == nullptr || (problem.withdraw && !takes_several(problem.option))) return std::nullopt;
    if (!values.contains(problem.option) && takes_several(problem.option)) values[problem.option] = option->results();
    std::vector<std::string>& words = values[problem.option];
    if (problem.withdraw) std::erase(words, problem.value);
    else if (std::find(words.begin(), words.end(), problem.value) == words.end()) words.push_back(problem.value);
  }
  return values;
}

}  // namespace

std::string table_problems_text(const TableProblems& problems, const CLI::App& app) {
  const std::string text = problems.what();
  if (problems.all().size() == 1) return text;
  const std::optional<Values> values = solved(problems.all(), app);
  return values ? text + "\nthis answers them: " + command_line(app, *values) : text;
}

}  // namespace spicymkl::cli
