#include "category_coder.hpp"

#include <algorithm>
#include <tuple>

#include "cell.hpp"

namespace spicymkl {

Index CategoryCoder::code(std::string_view text) {
  if (const auto found = codes_.find(text); found != codes_.end()) return found->second;
  const auto fresh = std::ssize(texts_);
  texts_.emplace_back(text);
  codes_.emplace(text, fresh);
  return fresh;
}

double CategoryCoder::cell(std::string_view text) {
  return is_missing(text) ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(code(text));
}

std::vector<std::string> sorted_texts(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  if (std::all_of(texts.begin(), texts.end(), [](const std::string& text) { return parse_number(text).has_value(); }))
    std::stable_sort(texts.begin(), texts.end(),
                     [](const std::string& a, const std::string& b) { return *parse_number(a) < *parse_number(b); });
  return texts;
}

std::vector<Index> places_in(const std::vector<std::string>& texts, const std::vector<std::string>& sorted) {
  std::unordered_map<std::string_view, Index> place;
  for (Index k = 0; k < std::ssize(sorted); ++k) place.emplace(sorted[k], k);
  std::vector<Index> places;
  for (const std::string& text : texts) places.push_back(place.at(text));
  return places;
}

void recode(VectorRef codes, const std::vector<std::string>& texts, const std::vector<std::string>& sorted) {
  const std::vector<Index> places = places_in(texts, sorted);
  for (double& code : codes)
    if (!std::isnan(code)) code = static_cast<double>(places[static_cast<Index>(code)]);
}

}  // namespace spicymkl
