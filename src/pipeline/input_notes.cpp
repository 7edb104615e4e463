#include "input_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/wording.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kExamples = 3;

/// "'a', 'b', 'c'": the first few.
std::string quoted(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (std::size_t k = 0; k < std::min(names.size(), kExamples); ++k) list.push_back(fmt::format("'{}'", names[k]));
  return fmt::format("{}", fmt::join(list, ", "));
}

/// Group members that the table does not have.
std::string absent_members(const GroupSummary& groups) {
  const std::size_t n_dropped = groups.dropped_groups.size();
  const std::string examples =
      groups.absent_examples.empty() ? "" : fmt::format(" (such as {})", quoted(groups.absent_examples));
  const std::string dropped = n_dropped == 0 ? "" : fmt::format(" (such as {})", quoted(groups.dropped_groups));
  return fmt::format("{} of {} group members are not columns of the table{}; {} left out{}", groups.n_absent,
                     groups.n_members, examples, counted(static_cast<Index>(n_dropped), "group"), dropped);
}

}  // namespace

std::vector<std::string> input_notes(const TrainingTable& table) {
  std::vector<std::string> notes = table.remarks;
  if (table.groups.n_absent > 0) notes.push_back(absent_members(table.groups));
  return notes;
}

std::vector<std::string> gram_notes(const TrainingInput& input) {
  std::vector<std::string> notes;
  if (!input.tolerated.empty()) {
    const TinyNegative& worst = *std::ranges::min_element(input.tolerated, {}, &TinyNegative::relative);
    notes.push_back(fmt::format(
        "{} a negative eigenvalue as small as rounding; the lowest is {:.1g} of the largest, kernel '{}'",
        input.tolerated.size() == 1 ? "1 kernel has" : fmt::format("{} kernels have", input.tolerated.size()),
        worst.relative, input.bank->name(worst.kernel)));
  }
  if (!input.repairs) return notes;
  for (const PsdRepair& repair : *input.repairs)
    notes.push_back(fmt::format("kernel '{}' had eigenvalues down to {:.3g} (largest {:.3g}); repaired by {}",
                                input.bank->name(repair.kernel), repair.smallest, repair.largest,
                                to_string(input.psd)));
  return notes;
}

}  // namespace spicymkl
