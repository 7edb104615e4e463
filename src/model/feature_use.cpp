#include "feature_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wording.hpp"

namespace spicymkl {

void add_features(const TableModel& table, Index kernel, nlohmann::ordered_json& json) {
  const auto place = std::ranges::lower_bound(table.active, kernel) - table.active.begin();
  const FittedKernel& fitted = table.kernels[place];
  if (!fitted.has_features()) return;
  json["features"] = {{"kind", feature_kind_name(fitted.spec().features.kind)},
                      {"rank", fitted.features().width()},
                      {"relative_trace_error", fitted.features().constants().missing}};
}

std::string features_text(const TableModel& table) {
  Index n_kernels = 0, least = 0, most = 0;
  double missing = 0;
  for (const FittedKernel& kernel : table.kernels) {
    if (!kernel.has_features()) continue;
    const Index width = kernel.features().width();
    least = n_kernels == 0 ? width : std::min(least, width);
    most = std::max(most, width);
    missing = std::max(missing, kernel.features().constants().missing);
    ++n_kernels;
  }
  if (n_kernels == 0) return "";
  const std::string widths = least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  return fmt::format("{} by features of {} numbers per row; at most {:.2g} % of a trace left out",
                     counted(n_kernels, "active kernel"), widths, 100 * missing);
}

}  // namespace spicymkl
