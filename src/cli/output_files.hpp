// The files that train writes.
#pragma once

#include <optional>

#include "options.hpp"
#include "spicymkl/io/atomic_file.hpp"
#include "spicymkl/model/model.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

/// Opened before any work, so that a place that cannot be written is refused at once.
class OutputFiles {
 public:
  explicit OutputFiles(const OutputOptions& options);
  /// One history a fit.
  void write(const Model& model, const std::vector<History>& histories);

 private:
  std::optional<AtomicFile> model_, certificate_, history_;
};

}  // namespace spicymkl::cli
