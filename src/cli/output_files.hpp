// The files that train writes.
#pragma once

#include <optional>

#include "io/atomic_file.hpp"
#include "options.hpp"
#include "spicymkl/model/model.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

/// Opened before any work, so that a place that cannot be written is refused at once.
class OutputFiles {
 public:
  explicit OutputFiles(const OutputOptions& options);
  /// One history per fit; `report` is the page, if one was asked for. `others` have been written and appear with these.
  void write(const Model& model, const std::vector<History>& histories, const std::string& report,
             std::vector<AtomicFile*> others = {});

 private:
  std::optional<AtomicFile> model_, certificate_, history_, report_;
};

}  // namespace spicymkl::cli
