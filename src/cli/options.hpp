// The options that train, path and cv share, with their defaults, in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "spicymkl/model/model.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl::cli {

/// Where samples come from: Gram matrices and labels.
struct GramInput {
  std::vector<std::string> grams;
  std::string labels;
  std::string weights;
};

struct TrainingOptions {
  ProblemDescription problem;
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
void add_training_options(CLI::App& app, TrainingOptions& options);
void add_output_options(CLI::App& app, OutputOptions& options);

/// The settings that the options ask for.
Settings make_settings(const TrainingOptions& options);

/// A number, or a number followed by "max": that multiple of `alpha_max`.
double resolve_alpha(const std::string& text, double alpha_max);

}  // namespace spicymkl::cli
