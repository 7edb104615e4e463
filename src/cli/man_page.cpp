// The manual page, written from the commands themselves.
#include <fmt/format.h>

#include "commands.hpp"
#include "option_registry.hpp"
#include "spicymkl/version.hpp"

namespace spicymkl::cli {

namespace {

constexpr const char* kDescription =
    "Learns, from labelled samples and up to many thousands of candidate kernels, a predictor and the weight of every "
    "kernel, by the method of Suzuki and Tomioka, SpicyMKL (Machine Learning 85, 2011). Every answer carries a "
    "certificate: primal value, feasible dual value and relative duality gap, recomputed from the stored model.";

constexpr const char* kStatus =
    ".TP\n.B 0\nDone, and the relative gap is met.\n"
    ".TP\n.B 1\nA check failed (verify), the tolerance was not met (the model is still written, and says so), or the "
    "command was interrupted.\n"
    ".TP\n.B 2\nBad usage or bad input. One sentence on standard error says what and where; nothing is written.\n";

constexpr const char* kSignals =
    "The first interrupt (Ctrl-C) or SIGTERM, like the time limit of \\-\\-max\\-seconds, ends a training within about "
    "two seconds; the best model so far is written, with status \\(lqinterrupted\\(rq and a gap that is proved, at "
    "worst "
    "that of a constant. A path keeps its finished points, a cross\\-validation its scores. A second interrupt changes "
    "nothing, a third ends the program at once. While tables are read the first one does. Output files appear whole or "
    "not at all.";

/// Text as roff: nothing in it is a request or an escape, and a minus can be copied.
std::string roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\n') out += "\n.br\n";
    else out += c;
  }
  return out;
}

/// "\fB-o\fP, \fB--output\fP \fITEXT\fP (default 5)"
std::string option_head(const CLI::Option& option) {
  if (option.get_positional()) return "\\fI" + roff(option.get_name(true)) + "\\fP";
  std::string names;
  for (const std::string& flag : flags_of(option))
    names += fmt::format("{}\\fB{}\\fP", names.empty() ? "" : ", ", roff(flag));
  const bool is_flag = option.get_expected_max() == 0;
  if (!is_flag) names += " \\fI" + roff(option.get_type_name()) + "\\fP";
  if (!is_flag && !option.get_default_str().empty()) names += " (default " + roff(option.get_default_str()) + ")";
  return names;
}

std::string command_page(const CLI::App& command) {
  std::string page = fmt::format(".SS spicymkl {}\n{}.\n", roff(command.get_name()), roff(command.get_description()));
  for (const CLI::Option* option : command.get_options())
    page += fmt::format(".TP\n{}\n{}\n", option_head(*option), roff(option->get_description()));
  if (!command.get_footer().empty()) page += ".PP\n" + roff(command.get_footer()) + "\n";
  return page;
}

std::string man_page(const CLI::App& program) {
  std::string page = fmt::format(".TH SPICYMKL 1 \"\" \"spicymkl {}\" \"User Commands\"\n", kVersion);
  page += ".SH NAME\nspicymkl \\- multiple kernel learning with proof\n";
  page += ".SH SYNOPSIS\n.B spicymkl\n.I COMMAND\n[\\fIOPTIONS\\fP] [\\fIFILES\\fP]\n";
  page += fmt::format(".SH DESCRIPTION\n{}\n", roff(kDescription));
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : visible_commands(program)) page += command_page(*command);
  page += fmt::format(".SH EXIT STATUS\n{}", kStatus);
  page += fmt::format(".SH SIGNALS\n{}\n", kSignals);
  page += ".SH SEE ALSO\nThe whole documentation is in the user guide of SpicyMKL.\n";
  return page;
}

}  // namespace

void add_man_page(CLI::App& program, Command& chosen) {
  CLI::App* app = program.add_subcommand("man", "print the manual page")->group("");
  app->callback([&] {
    chosen = [&program] {
      fmt::print("{}", man_page(program));
      return 0;
    };
  });
}

}  // namespace spicymkl::cli
