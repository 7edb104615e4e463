#include "command_main.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

#include "commands.hpp"
#include "input_files.hpp"
#include "interrupt.hpp"
#include "last_words.hpp"
#include "say.hpp"
#include "short_help.hpp"
#include "spicymkl/baseline/baselines.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/version.hpp"
#include "standard_output.hpp"
#include "table_problems_text.hpp"
#include "usage_error.hpp"

namespace spicymkl::cli {

namespace {

/// A variable of a script that is not set would otherwise be an option without effect.
void refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& value : option->results())
      if (value.empty())
        throw InputError(fmt::format("{} is empty; give it a value, or leave it out", option->get_name()));
}

/// Parses, runs the chosen command and returns its status, or that of --help and --version.
int run(CLI::App& program, const cli::Command& chosen, int argc, char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);
    throw InputError(cli::usage_error(program, error));
  }
  refuse_empty_values(*program.get_subcommands().front());
  return chosen();
}

/// Everything that takes memory. What is said of an error may take too much of it.
int guarded_main(int argc, char** argv) {
#ifdef SPICYMKL_BASELINES
  register_baselines();
#endif
  CLI::App program("Multiple kernel learning: which sources matter, and a predictor, with proof.", "spicymkl");
  program.set_version_flag("--version", std::string("spicymkl ") + kVersion);
  program.require_subcommand(1);
  cli::Command chosen;
  for (const auto add :
       {cli::add_train, cli::add_predict, cli::add_evaluate, cli::add_inspect, cli::add_path, cli::add_cv,
        cli::add_study, cli::add_merge, cli::add_kernels, cli::add_verify, cli::add_generate, cli::add_bench,
        cli::add_options_command, cli::add_man_page, cli::add_completion})
    add(program, chosen);
  cli::use_short_help(program);
  try {
    const int status = run(program, chosen, argc, argv);
    cli::finish_standard_output();
    return status;
  } catch (const TableProblems& problems) {
    cli::say("{}", cli::table_problems_text(problems, *program.get_subcommands().front()));
  } catch (const InputError& error) {
    cli::say("{}", error.what());
  } catch (const cli::Interrupted&) {
    cli::say("interrupted; nothing was written");
    return 1;
  } catch (const Stopped&) {
    cli::say("stopped before there was anything to keep; nothing was written");
    return 1;
  } catch (const std::system_error& error) {
    // Printing more than the buffer holds fails where it is printed.
    cli::say("{}", cli::standard_output_failed() ? "cannot write to standard output: " + error.code().message()
                                                 : error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    cli::say("{}", error.what());
  }
  return 2;
}

}  // namespace

int command_main(int argc, char** argv) {
  cli::say_last_words();
  cli::claim_standard_files();
  cli::end_when_a_file_shrinks();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing like a full disk
  int status = 2;
  try {
    status = guarded_main(argc, argv);
  } catch (const std::bad_alloc&) {
    cli::say_plainly(cli::kOutOfMemory);
  }
  cli::no_last_words();
  return status;
}

}  // namespace spicymkl::cli
