// Strings to codes. Parts of a file are coded apart, in order of appearance; then all parts agree on the sorted order.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

class CategoryCoder {
 public:
  /// The text's code, a new one if it was not seen before.
  Index code(std::string_view text);
  /// The same as a cell of a table: NaN where the text is missing.
  double cell(std::string_view text);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> codes_;
  std::vector<std::string> texts_;
};

/// Sorted by value if all are numbers, else by bytes; each once.
std::vector<std::string> sorted_texts(std::vector<std::string> texts);

/// From codes of `texts` to those of `sorted`, which has them all; NaN stays.
void recode(VectorRef codes, const std::vector<std::string>& texts, const std::vector<std::string>& sorted);

/// For every text its place in `sorted`, which has them all.
std::vector<Index> places_in(const std::vector<std::string>& texts, const std::vector<std::string>& sorted);

}  // namespace spicymkl
