#include "options.hpp"

#include "option_registry.hpp"

namespace spicymkl::cli {

void add_gram_input(CLI::App& app, GramInput& input) {
  app.add_option("--gram", input.grams, "Gram matrices: one M x N x N .npy file, or several N x N files");
  app.add_option("--labels", input.labels, "N labels, numbers or strings: .npy, .txt or .csv; N x K targets: .npy");
  app.add_option("--weights", input.weights,
                 "sample weights > 0: a column of DATA, or N of them in a .npy or .csv file\n(default: all 1)")
      ->group(kRareGroup);
}

void add_new_grams(CLI::App& app, std::vector<std::string>& grams, std::string& covariates) {
  app.add_option("--gram", grams,
                 "in place of DATA: kernels, all M or the active ones, x N_new x N: one .npy file or several");
  app.add_option("--covariates", covariates, "with --gram: covariates of the new rows, N_new x c, .npy")
      ->group(kRareGroup);
}

void add_psd_option(CLI::App& app, GramInput& input) {
  app.add_option("--psd", input.psd,
                 "Gram matrices with negative eigenvalues: refuse, or repair by\nclip, flip or shift")
      ->capture_default_str()
      ->group(kRareGroup);
}

void add_report_option(CLI::App& app, OutputOptions& options) {
  app.add_option("--report", options.report, "write an HTML page with the proof and charts");
}

void add_print_options(CLI::App& app, OutputOptions& options) {
  app.add_flag("--json", options.json, "print one JSON object instead of text");
  app.add_flag("--quiet", options.quiet, "print no progress and no summary");
}

void add_output_options(CLI::App& app, OutputOptions& options) {
  app.add_option("--model", options.model, "write the model to this .safetensors file");
  app.add_option("--certificate", options.certificate, "write the proof as JSON")->group(kRareGroup);
  app.add_option("--history", options.history, "write one CSV row per outer iteration")->group(kRareGroup);
  add_report_option(app, options);
  add_print_options(app, options);
}

Outputs outputs_of(const OutputOptions& options) {
  return {{"--model", options.model},
          {"--certificate", options.certificate},
          {"--history", options.history},
          {"--report", options.report}};
}

}  // namespace spicymkl::cli
