#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <new>

#include "commands.hpp"
#include "interrupt.hpp"
#include "say.hpp"
#include "short_help.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/version.hpp"
#include "table_problems_text.hpp"

int main(int argc, char** argv) {
  using namespace spicymkl;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing like a full disk
  CLI::App program("Multiple kernel learning: which sources matter, and a predictor, with proof.", "spicymkl");
  program.set_version_flag("--version", std::string("spicymkl ") + kVersion);
  program.require_subcommand(1);
  cli::Command chosen;
  cli::add_train(program, chosen);
  cli::add_predict(program, chosen);
  cli::add_evaluate(program, chosen);
  cli::add_inspect(program, chosen);
  cli::add_path(program, chosen);
  cli::add_cv(program, chosen);
  cli::add_kernels(program, chosen);
  cli::add_verify(program, chosen);
  cli::add_generate(program, chosen);
  cli::add_bench(program, chosen);
  cli::add_options_command(program, chosen);
  cli::add_man_page(program, chosen);
  cli::add_completion(program, chosen);
  cli::use_short_help(program);
  try {
    program.parse(argc, argv);
    return chosen();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    fmt::print(stderr, "spicymkl: {} (see spicymkl --help)\n", error.what());
  } catch (const TableProblems& problems) {
    cli::say("{}", cli::table_problems_text(problems, *program.get_subcommands().front()));
  } catch (const InputError& error) {
    fmt::print(stderr, "spicymkl: {}\n", error.what());
  } catch (const cli::Interrupted&) {
    fmt::print(stderr, "spicymkl: interrupted; nothing was written\n");
    return 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "spicymkl: not enough memory for this problem\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "spicymkl: {}\n", error.what());
  }
  return 2;
}
