// The options that train, path and cv share beside those of the library's tables.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "file_roles.hpp"

namespace spicymkl::cli {

/// Where samples come from: Gram matrices and labels.
struct GramInput {
  std::vector<std::string> grams;
  std::string labels;
  std::string events;  ///< of survival times, which are the labels
  std::string weights;
  std::string covariates;
  std::string psd = "refuse";
};

struct OutputOptions {
  std::string model;
  std::string certificate;
  std::string history;
  std::string report;
  bool json = false;
  bool quiet = false;

  bool silent() const { return quiet || json; }
};

void add_gram_input(CLI::App& app, GramInput& input);
/// Kernels of new rows, and their covariates.
void add_new_grams(CLI::App& app, std::vector<std::string>& grams, std::string& covariates);
void add_psd_option(CLI::App& app, GramInput& input);
void add_report_option(CLI::App& app, OutputOptions& options);
/// --json and --quiet
void add_print_options(CLI::App& app, OutputOptions& options);
/// The files of a model, --json and --quiet.
void add_output_options(CLI::App& app, OutputOptions& options);
Outputs outputs_of(const OutputOptions& options);

}  // namespace spicymkl::cli
