#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.hpp"
#include "say.hpp"
#include "study/study_tables.hpp"
#include "study_results.hpp"

namespace spicymkl::cli {

namespace {

struct MergeCommand {
  std::string folder;
  OutputOptions output;
};

/// "pair-0001, pair-0002 and 3 more"
std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  const std::vector<std::string> shown(names.begin(), names.begin() + std::min(kMost, names.size()));
  const std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return names.size() <= kMost ? text : fmt::format("{} and {} more", text, names.size() - kMost);
}

int run(const MergeCommand& command) {
  return merge_parts(StudyFolder(command.folder), command.folder, command.output);
}

}  // namespace

int merge_parts(const StudyFolder& folder, const std::string& path, const OutputOptions& output) {
  const std::vector<StudyTask> tasks = list_tasks(folder.description().options);
  std::vector<PartResult> parts;
  std::vector<std::string> missing;
  for (const StudyTask& task : tasks) {
    if (auto part = folder.part(task)) parts.push_back(std::move(*part));
    else missing.push_back(task.name());
  }
  if (!missing.empty()) {
    say("{} of {} parts are missing in '{}': {}; run study there again, with the options that it has: what is done "
        "is not done again",
        missing.size(), tasks.size(), path, first_names(missing));
    return 1;
  }
  const StudySummary summary = summarize(folder.description(), parts);
  folder.write_results(summary);
  if (output.json) show_json(study_json(folder.description(), summary));
  else if (!output.quiet) show("{}", study_text(folder.description(), summary));
  return 0;
}

void add_merge(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<MergeCommand>();
  CLI::App* app = program.add_subcommand("merge", "put the parts of a study together");
  app->footer(
      "The same bytes as one run gives, however the study was divided. Missing parts are named, with status 1.\n"
      "Example: spicymkl merge DIR");
  app->add_option("DIR", command->folder, "the folder of a study")->required();
  add_print_options(*app, command->output);
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
