// The files that a command writes.
#pragma once

#include <map>

#include "io/atomic_file.hpp"
#include "options.hpp"
#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl::cli {

/// Opened before any work, so that a place that cannot be written is refused at once. What is written appears
/// together, by commit; a file that was not asked for is passed over.
class OutputFiles {
 public:
  explicit OutputFiles(const Outputs& outputs);

  bool has(const std::string& option) const { return files_.contains(option); }
  /// `content` makes the bytes, where they are wanted.
  template <class Content>
  void write(const std::string& option, const Content& content) {
    write_pieces(option, [&](AtomicFile& file) { file.write(content()); });
  }
  /// Those of add_output_options but the report.
  void write_model(const TrainedModel& trained, int threads);
  void commit() { commit_together(written_); }

 private:
  template <class Write>
  void write_pieces(const std::string& option, const Write& write) {
    const auto file = files_.find(option);
    if (file == files_.end()) return;
    write(file->second);
    written_.push_back(&file->second);
  }

  std::map<std::string, AtomicFile> files_;  ///< by option
  std::vector<AtomicFile*> written_;
};

}  // namespace spicymkl::cli
