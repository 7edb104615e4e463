#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace spicymkl {

namespace {

/// Two digits, or all of them before the point.
std::string rounded(double value) { return value < 9.95 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value); }

}  // namespace

std::string bytes_text(double bytes) {
  constexpr std::array<std::pair<double, const char*>, 5> kUnits = {
      {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "bytes"}}};
  for (const auto& [size, name] : kUnits)
    if (bytes >= 0.995 * size) return fmt::format("{} {}", rounded(bytes / size), name);
  return fmt::format("{:.0f} bytes", std::max(0.0, bytes));
}

std::string duration_text(double seconds) {
  if (seconds < 100) return rounded(seconds) + " s";
  if (seconds < 100 * 60) return rounded(seconds / 60) + " min";
  if (seconds < 48 * 3600) return rounded(seconds / 3600) + " h";
  return rounded(seconds / (24 * 3600)) + " days";
}

}  // namespace spicymkl
