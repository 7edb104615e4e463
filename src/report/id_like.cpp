#include "id_like.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

namespace spicymkl {

namespace {

/// "id", "patient_id", "sampleID", "Sample Name", … but not "humid".
bool is_called_id(const std::string& name) {
  constexpr std::array<std::string_view, 12> words{"id",      "ids",     "idx",  "index", "sample", "patient",
                                                   "subject", "barcode", "name", "uuid",  "key",    "row"};
  std::string last;  // word of the name, in lower case
  for (std::size_t k = name.size(); k-- > 0;) {
    const auto c = static_cast<unsigned char>(name[k]);
    if (!std::isalnum(c)) break;
    last.insert(last.begin(), static_cast<char>(std::tolower(c)));
    const bool begins_word = std::isupper(c) && k > 0 && std::islower(static_cast<unsigned char>(name[k - 1]));
    if (begins_word) break;
  }
  return std::find(words.begin(), words.end(), last) != words.end();
}

bool all_different(ConstVectorRef column) {
  std::vector<double> values(column.begin(), column.end());
  if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) return false;
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

bool all_whole(ConstVectorRef column) {
  return std::all_of(column.begin(), column.end(), [](double value) { return std::floor(value) == value; });
}

}  // namespace

std::vector<std::string> id_like_columns(const Table& table) {
  std::vector<std::string> names;
  if (table.rows() < 3) return names;
  for (Index j = 0; j < std::ssize(table.columns); ++j) {
    const auto column = table.values.col(j);
    const bool categorical = !table.categories[j].empty();
    const bool suspicious = categorical ? std::ssize(table.categories[j]) == table.rows()
                                        : is_called_id(table.columns[j]) && all_whole(column);
    if (suspicious && all_different(column)) names.push_back(table.columns[j]);
  }
  return names;
}

}  // namespace spicymkl
