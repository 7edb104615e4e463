// A few numbers, large, at the top of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spicymkl {

struct Tile {
  std::string name, value, remark;
  std::string look;  ///< class of the value
};

std::string tiles_html(const std::vector<Tile>& tiles);

/// With a capital letter first.
std::string capital(std::string_view text);

}  // namespace spicymkl
