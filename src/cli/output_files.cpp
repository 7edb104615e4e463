#include "output_files.hpp"

#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

OutputFiles::OutputFiles(const Outputs& outputs) {
  for (const auto& [option, path] : outputs)
    if (!path.empty()) files_.emplace(option, path);
}

void OutputFiles::write_model(const TrainedModel& trained) {
  write("--model", [&] { return to_bytes(trained.model); });
  write("--certificate", [&] { return certificate_json(trained.model) + "\n"; });
  write("--history", [&] { return history_csv(trained.model, trained.histories); });
}

}  // namespace spicymkl::cli
