#include "tiles.hpp"

#include <fmt/format.h>

#include <cctype>

#include "html.hpp"

namespace spicymkl {

namespace {

std::string tile_html(const Tile& tile) {
  const std::string remark = tile.remark.empty() ? "" : fmt::format("<small>{}</small>", escaped(tile.remark));
  return fmt::format("<div><dt>{}</dt><dd class=\"{}\">{}{}</dd></div>\n", escaped(tile.name), tile.look,
                     escaped(tile.value), remark);
}

/// Of a wide window: rows of about the same length, where one of them is not enough.
std::size_t tile_columns(std::size_t n_tiles) {
  constexpr std::size_t kMost = 6;
  const std::size_t n_rows = (n_tiles + kMost - 1) / kMost;
  return (n_tiles + n_rows - 1) / n_rows;
}

}  // namespace

std::string tiles_html(const std::vector<Tile>& tiles) {
  std::string html = fmt::format("<dl class=\"tiles\" style=\"--columns:{}\">\n", tile_columns(tiles.size()));
  for (const Tile& tile : tiles) html += tile_html(tile);
  return html + "</dl>\n";
}

std::string capital(std::string_view text) {
  std::string changed(text);
  if (!changed.empty()) changed.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(changed.front())));
  return changed;
}

}  // namespace spicymkl
