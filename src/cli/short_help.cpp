#include "short_help.hpp"

#include <sstream>

#include "option_registry.hpp"

namespace spicymkl::cli {

namespace {

constexpr std::size_t kScreenWidth = 98, kColumn = 28;

/// Words in lines of at most `width` characters; lines after the first begin with `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::istringstream words(text);
  std::string lines, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() || line == indent ? "" : " ") + word;
    }
  }
  return lines + line;
}

/// All but --help-all, which the list begins with.
std::string names_of(const std::vector<const CLI::Option*>& options) {
  std::string names;
  for (const CLI::Option* option : options)
    if (!option->check_lname("help-all")) names += " " + option->get_name(false, false);
  return names;
}

class ShortHelp final : public CLI::Formatter {
 public:
  ShortHelp() { column_width(kColumn); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    everything_ = mode == CLI::AppFormatMode::All;
    std::string text = Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  /// Positionals and common options in one list, without titles; rare options by name.
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == kRareGroup && !everything_)
      return "\n" + wrapped("More, explained by --help-all:" + names_of(options), kScreenWidth, "  ") + "\n";
    std::string list = group == kRareGroup ? "\n" : "";
    for (const CLI::Option* option : options) list += make_option(option, is_positional);
    return list;
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), kScreenWidth - kColumn, "");
  }

 private:
  mutable bool everything_ = false;  // the mode reaches make_help only
};

}  // namespace

void use_short_help(CLI::App& program) {
  const auto formatter = std::make_shared<ShortHelp>();
  for (CLI::App* app : program.get_subcommands({})) {
    app->formatter(formatter);
    const auto options = app->get_options();
    const bool leaves_out = std::any_of(options.begin(), options.end(),
                                        [](const CLI::Option* option) { return option->get_group() == kRareGroup; });
    if (leaves_out) app->set_help_all_flag("--help-all", "explain every option")->group(kRareGroup);
  }
}

}  // namespace spicymkl::cli
