#include "short_help.hpp"

#include "option_registry.hpp"

namespace spicymkl::cli {

namespace {

constexpr std::size_t kWidth = 96;

/// The names of the options, in lines.
std::string names_only(const std::vector<const CLI::Option*>& options) {
  std::string text = "\nMore, explained by --help-all:";
  std::size_t line = text.size() - 1;
  for (const CLI::Option* option : options) {
    const std::string word = " " + option->get_name(false, false);
    if (line + word.size() > kWidth) {
      text += "\n ";
      line = 1;
    }
    text += word;
    line += word.size();
  }
  return text + "\n";
}

class ShortHelp final : public CLI::Formatter {
 public:
  ShortHelp() { column_width(28); }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    everything_ = mode == CLI::AppFormatMode::All;
    return Formatter::make_help(app, std::move(name), mode);
  }

  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == kRareGroup && !everything_) return names_only(options);
    return Formatter::make_group(std::move(group), is_positional, std::move(options));
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
