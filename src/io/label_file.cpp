#include "spicymkl/io/label_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "array_cells.hpp"
#include "cell.hpp"
#include "core/utf8.hpp"
#include "mapped_file.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Labels = std::vector<std::string>;

Labels text_cells(const ArrayCells& cells) {
  Labels labels;
  for (Index i = 0; i < cells.rows(); ++i) labels.push_back(cells.text(i, 0));
  return labels;
}

Labels number_cells(const ArrayCells& cells, const std::string& path) {
  Vector numbers(cells.rows());
  cells.copy_numbers(0, 0, cells.rows(), numbers.data());
  Labels labels;
  for (Index i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers(i)))
      throw InputError(fmt::format("{}: label of sample {} is {}; labels must be finite numbers", path, i, numbers(i)));
    labels.push_back(fmt::format("{}", numbers(i)));
  }
  return labels;
}

Labels npy_labels(std::string_view bytes, const std::string& path) {
  const NpyHeader header = parse_npy_header(bytes, path);
  const bool column = header.shape.size() == 2 && header.shape[1] == 1;
  if (header.shape.size() != 1 && !column)
    throw InputError(fmt::format("'{}' has shape ({}), but labels must be one per sample, shape (N,)", path,
                                 fmt::join(header.shape, ", ")));
  const ArrayCells cells(bytes, path);
  return cells.is_text() ? text_cells(cells) : number_cells(cells, path);
}

std::string unquoted(std::string_view line) {
  std::string_view text = trimmed(line);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

Labels lines_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the byte order mark that spreadsheets write
  Labels lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(unquoted(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_text_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".csv" || extension == ".tsv" || extension == ".txt";
}

}  // namespace

std::optional<Matrix> read_several_targets(const std::string& path) {
  if (is_text_file(path)) return std::nullopt;
  const MappedFile file = map_file(path);
  const NpyHeader header = parse_npy_header(file.bytes, path);
  if (header.shape.size() != 2 || header.shape[0] < 1 || header.shape[1] < 2) return std::nullopt;
  const ArrayCells cells(file.bytes, path);
  if (cells.is_text())
    throw InputError(
        fmt::format("'{}' holds strings of shape ({}), but several targets are numbers; give one column of "
                    "classes, or numbers",
                    path, fmt::join(header.shape, ", ")));
  Matrix targets(cells.rows(), cells.columns());
  for (Index k = 0; k < targets.cols(); ++k) cells.copy_numbers(k, 0, cells.rows(), targets.col(k).data());
  for (Index k = 0; k < targets.cols(); ++k)
    for (Index i = 0; i < targets.rows(); ++i)
      if (std::isinf(targets(i, k)))
        throw InputError(fmt::format("'{}', row {}, column {}: the target is {}; targets must be finite numbers", path,
                                     i + 1, k + 1, targets(i, k)));
  return targets;
}

Labels read_labels(const std::string& path) {
  const MappedFile file = map_file(path);
  const bool text = is_text_file(path);
  Labels labels = text ? lines_of(file.bytes) : npy_labels(file.bytes, path);
  if (labels.empty()) throw InputError(fmt::format("'{}' holds no labels", path));
  const auto label_at = [&](std::size_t i) {  // lines count from 1, entries of an array from 0
    return text ? fmt::format("'{}', row {}: the label", path, i + 1)
                : fmt::format("'{}': the label of sample {}", path, i);
  };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!is_utf8(labels[i])) throw InputError(fmt::format("{} is not UTF-8 text; write it as UTF-8", label_at(i)));
    if (text && labels[i].find_first_of(",;\t") != std::string::npos)
      throw InputError(fmt::format("'{}', line {}: {} has more than one cell; a file of labels has one label per line",
                                   path, i + 1, in_quotes(labels[i])));
    if (is_missing(labels[i])) throw InputError(fmt::format("{} is missing", label_at(i)));
  }
  return labels;
}

}  // namespace spicymkl
