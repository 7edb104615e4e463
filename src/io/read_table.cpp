#include "spicymkl/io/read_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cell.hpp"
#include "core/closest.hpp"
#include "gzip.hpp"
#include "mapped_file.hpp"
#include "spicymkl/core/error.hpp"
#include "table_readers.hpp"

namespace spicymkl {

namespace {

struct Extension {
  std::string_view text;
  TableFormat format;
};

constexpr Extension kExtensions[] = {
    {".csv", TableFormat::csv},       {".tsv", TableFormat::tsv},         {".tab", TableFormat::tsv},
    {".libsvm", TableFormat::libsvm}, {".svmlight", TableFormat::libsvm}, {".svm", TableFormat::libsvm},
    {".npy", TableFormat::npy},       {".npz", TableFormat::npz},
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_gzip_name(const std::string& path) { return lower_case(path).ends_with(".gz"); }

/// Without the UTF-8 byte order mark that spreadsheets write. Other encodings would be read as nonsense.
std::string_view utf8_text(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    throw InputError(fmt::format("{}: is in UTF-16; save it as UTF-8", path));
  return bytes;
}

/// Where a comma is the decimal sign, spreadsheets separate by semicolons, and some by tabs.
char csv_separator(std::string_view text) {
  const std::string_view first_line = text.substr(0, text.find('\n'));
  for (const char separator : {',', ';', '\t'})
    if (first_line.find(separator) != std::string_view::npos) return separator;
  return ',';
}

Table read_bytes(std::string_view bytes, TableFormat format, const std::string& path, const TableOptions& options) {
  if (bytes.empty()) throw InputError(fmt::format("{}: is empty; give a file with at least one row", path));
  switch (format) {
    case TableFormat::csv:
      return read_delimited(utf8_text(bytes, path), csv_separator(utf8_text(bytes, path)), path, options);
    case TableFormat::tsv:
      return read_delimited(utf8_text(bytes, path), '\t', path, options);
    case TableFormat::libsvm:
      return read_libsvm(utf8_text(bytes, path), path, options);
    case TableFormat::npy:
      return read_npy_table(bytes, path, options);
    case TableFormat::npz:
      return read_npz_table(bytes, path, options);
  }
  throw std::logic_error("unknown table format");
}

}  // namespace

TableFormat parse_table_format(std::string_view name) {
  for (const Extension& extension : kExtensions)
    if (extension.text.substr(1) == name) return extension.format;
  throw InputError(fmt::format("format {} is not known{}; give csv, tsv, libsvm, npy or npz", in_quotes(name),
                               did_you_mean(name, {"csv", "tsv", "libsvm", "npy", "npz"})));
}

TableFormat table_format_of(const std::string& path) {
  std::filesystem::path name(path);
  if (is_gzip_name(path)) name = name.stem();
  const std::string extension = lower_case(name.extension().string());
  for (const Extension& known : kExtensions)
    if (known.text == extension) return known.format;
  throw InputError(fmt::format(
      "{}: its name does not show its format; name it .csv, .tsv, .libsvm, .npy or .npz, or give the format", path));
}

Table read_table(const std::string& path, const TableOptions& options) {
  const MappedFile file = map_file(path);
  const TableFormat format = options.format ? *options.format : table_format_of(path);
  if (!is_gzip_name(path) && !is_gzip(file.bytes)) return read_bytes(file.bytes, format, path, options);
  return read_bytes(gunzip(file.bytes, path), format, path, options);
}

}  // namespace spicymkl
