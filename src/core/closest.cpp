#include "closest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace spicymkl {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// Optimal string alignment: Levenshtein's distance in which swapped neighbours count once.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = lower_case(name);
  const std::size_t near_enough = (wanted.size() + 1) / 3;  // one slip in two letters, two in five
  std::string best;
  std::size_t least = near_enough + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), wanted.size());
    if (longer - std::min(candidate.size(), wanted.size()) >= least) continue;
    const std::size_t steps = distance(wanted, lower_case(candidate));
    if (steps >= least || steps >= longer) continue;  // nothing in common is not near
    least = steps;
    best = candidate;
  }
  const auto letters =
      std::count_if(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  if (least <= 1 || letters < 2) return best;
  // Two slips are less likely than a name that was cut short.
  const auto longer = std::find_if(candidates.begin(), candidates.end(), [&](const std::string& candidate) {
    return lower_case(candidate).starts_with(wanted);
  });
  return longer != candidates.end() ? *longer : best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string meant = closest(name, candidates);
  return meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant);
}

}  // namespace spicymkl
