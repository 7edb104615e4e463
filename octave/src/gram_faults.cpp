#include "gram_faults.hpp"

#include <fmt/format.h>

#include <regex>

namespace spicymkl::octave {

namespace {

std::string from_one(const std::string& number) { return std::to_string(std::stoll(number) + 1); }

/// "row 3, column 6" and "(3, 6)" become "row 7, column 4" and "(7, 4)", "entry 3 is" becomes "entry 4 is".
std::string places_of_octave(const std::string& fault) {
  static const std::regex place("(row |\\()([0-9]+)(, column |, )([0-9]+)|(entry )([0-9]+)(?= is)");
  std::string text;
  auto rest = fault.begin();
  for (std::sregex_iterator found(fault.begin(), fault.end(), place), end; found != end; ++found) {
    const std::smatch& part = *found;
    text.append(rest, part[0].first);
    text += part[5].matched ? part.str(5) + from_one(part.str(6))
                            : part.str(1) + from_one(part.str(4)) + part.str(3) + from_one(part.str(2));
    rest = part[0].second;
  }
  return text.append(rest, fault.end());
}

}  // namespace

std::string gram_fault_of_octave(const std::string& sentence, const DenseBank& grams) {
  for (Index m = 0; m < grams.n_kernels(); ++m) {
    const std::string subject = fmt::format("kernel '{}' (number {}) ", grams.name(m), m);
    if (!sentence.starts_with(subject)) continue;
    const std::string fault = places_of_octave(sentence.substr(subject.size()));
    static const std::regex transposed("K\\^T");
    return fmt::format("kernel {} {}", m + 1, std::regex_replace(fault, transposed, "K'"));
  }
  return sentence;
}

}  // namespace spicymkl::octave
