#include "output_files.hpp"

#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::cli {

OutputFiles::OutputFiles(const OutputOptions& options) {
  if (!options.model.empty()) model_.emplace(options.model);
  if (!options.certificate.empty()) certificate_.emplace(options.certificate);
  if (!options.history.empty()) history_.emplace(options.history);
  if (!options.report.empty()) report_.emplace(options.report);
}

void OutputFiles::write(const Model& model, const std::vector<History>& histories, const std::string& report,
                        std::vector<AtomicFile*> others) {
  if (model_) model_->write(to_bytes(model));
  if (certificate_) certificate_->write(certificate_json(model) + "\n");
  if (history_) history_->write(history_csv(model, histories));
  if (report_) report_->write(report);
  for (auto* file : {&model_, &certificate_, &history_, &report_})
    if (*file) others.push_back(&**file);
  commit_together(others);
}

}  // namespace spicymkl::cli
