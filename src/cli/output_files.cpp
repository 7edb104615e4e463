#include "output_files.hpp"

#include "spicymkl/core/parallel.hpp"
#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

OutputFiles::OutputFiles(const Outputs& outputs) {
  for (const auto& [option, path] : outputs)
    if (!path.empty()) files_.emplace(option, path);
}

void OutputFiles::write_model(const TrainedModel& trained, int threads) {
  write_pieces("--model", [&](AtomicFile& file) {
    spicymkl::write_model(trained.model, resolve_threads(threads), [&](std::string_view piece) { file.write(piece); });
  });
  write("--certificate", [&] { return certificate_json(trained.model) + "\n"; });
  write("--history", [&] { return history_csv(trained.model, trained.histories); });
}

}  // namespace spicymkl::cli
