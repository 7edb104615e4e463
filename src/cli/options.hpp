// The options that train, path and cv share, with their defaults, in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "spicymkl/pipeline/train.hpp"

namespace spicymkl::cli {

/// Where samples come from: Gram matrices and labels.
struct GramInput {
  std::vector<std::string> grams;
  std::string labels;
  std::string weights;
  std::string psd = "refuse";
};

struct TrainingOptions {
  ProblemDescription problem{.loss = "auto"};
  std::string alpha = "0.1max";
  bool no_intercept = false;
  std::string solver = "auto";
  double tol = 1e-3;
  int max_iter = Settings{}.max_iter;
  int threads = 0;
};

struct OutputOptions {
  std::string model;
  std::string certificate;
  std::string history;
  bool json = false;
  bool quiet = false;
};

void add_gram_input(CLI::App& app, GramInput& input);
void add_psd_option(CLI::App& app, GramInput& input);
void add_training_options(CLI::App& app, TrainingOptions& options);
void add_output_options(CLI::App& app, OutputOptions& options);

/// What the options ask for, checked.
TrainingPlan make_plan(const TrainingOptions& options);

}  // namespace spicymkl::cli
