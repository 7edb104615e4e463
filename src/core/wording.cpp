#include "spicymkl/core/wording.hpp"

#include <fmt/format.h>

#include <cmath>

namespace spicymkl {

namespace {

/// Two significant digits, never as a power of ten.
std::string two_digits(double value) {
  return value < 10 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

std::string counted(Index n, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", n, n == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

std::string size_in_words(double bytes) {
  if (bytes < 999.5) return fmt::format("{:.0f} {}", bytes, std::round(bytes) == 1 ? "byte" : "bytes");
  const char* unit = "";
  for (const char* next : {"kB", "MB", "GB", "TB", "PB"}) {
    if (*unit != 0 && bytes < 999.5) break;
    bytes /= 1000;
    unit = next;
  }
  const int decimals = bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", bytes, decimals, unit);
}

std::string duration_in_words(double seconds) {
  if (seconds < 99.5) return two_digits(seconds) + " s";
  if (seconds < 99.5 * 60) return two_digits(seconds / 60) + " min";
  if (seconds < 47.5 * 3600) return two_digits(seconds / 3600) + " h";
  return two_digits(seconds / 86400) + " days";
}

}  // namespace spicymkl
