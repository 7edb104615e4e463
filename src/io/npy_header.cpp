#include "npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include "cell.hpp"
#include "number_type.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

class Refusal {
 public:
  explicit Refusal(const std::string& path) : path_(path) {}
  [[noreturn]] void operator()(const std::string& what) const { throw InputError(fmt::format("{}: {}", path_, what)); }
  [[noreturn]] void header(const std::string& what) const {
    (*this)(fmt::format("the NPY header {}; write the file again with numpy.save", what));
  }

 private:
  const std::string& path_;
};

/// Reads the header's text, a Python dictionary with three keys: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
/// 4), }
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const Refusal& refuse) : text_(text), refuse_(refuse) {}

  void read() {
    expect('{');
    while (!accept('}')) {
      const std::string_view key = read_string();
      expect(':');
      read_value(key);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    if (!has_descr_ || !has_order_ || !has_shape_) refuse_.header("lacks 'descr', 'fortran_order' or 'shape'");
  }

  std::string_view descr;
  bool fortran_order = false;
  std::vector<Index> shape;

 private:
  void read_value(std::string_view key) {
    if (key == "descr") {
      if (peek() == '[') refuse_("is an array of records; save a plain array of numbers");
      descr = read_string();
      has_descr_ = true;
    } else if (key == "fortran_order") {
      fortran_order = read_boolean();
      has_order_ = true;
    } else if (key == "shape") {
      shape = read_tuple();
      has_shape_ = true;
    } else {
      refuse_.header(fmt::format("has an unknown key {}", in_quotes(key)));
    }
  }

  char peek() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n\r"), text_.size()));
    return text_.empty() ? '\0' : text_.front();
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) refuse_.header(fmt::format("is damaged: '{}' expected before {}", wanted, in_quotes(text_)));
  }

  std::string_view read_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      refuse_.header(fmt::format("is damaged: a name expected before {}", in_quotes(text_)));
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) refuse_.header("is damaged: a name does not end");
    const std::string_view name = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return name;
  }

  bool read_boolean() {
    peek();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    refuse_.header("is damaged: 'fortran_order' is neither True nor False");
  }

  std::vector<Index> read_tuple() {
    std::vector<Index> numbers;
    expect('(');
    while (!accept(')')) {
      peek();
      Index number = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
      if (error == std::errc::result_out_of_range) refuse_.header("announces more cells than fit in memory");
      if (error != std::errc() || number < 0)
        refuse_.header(fmt::format("is damaged: a length expected before {}", in_quotes(text_)));
      text_.remove_prefix(end - text_.data());
      numbers.push_back(number);
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return numbers;
  }

  std::string_view text_;
  const Refusal& refuse_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

/// The header's text; `offset` becomes the place behind it.
std::string_view header_text(std::string_view bytes, std::size_t& offset, const Refusal& refuse) {
  if (!bytes.starts_with(kMagic)) refuse("is not an NPY file; write it with numpy.save, or give its format");
  const std::size_t begin = kMagic.size() + 2;
  if (bytes.size() < begin + 4) refuse.header("is truncated");
  const int version = static_cast<unsigned char>(bytes[kMagic.size()]);
  if (version < 1 || version > 3) refuse.header(fmt::format("has version {}, and 1 to 3 are known", version));
  const std::size_t width = version == 1 ? 2 : 4;
  const std::size_t length = little_endian(bytes.substr(begin, width));
  if (bytes.size() - begin - width < length) refuse.header("is truncated");
  offset = begin + width + length;
  return bytes.substr(begin + width, length);
}

std::optional<NpyKind> kind_of(char code, std::size_t size) {
  const bool whole = size == 1 || size == 2 || size == 4 || size == 8;
  if (code == 'b' && size == 1) return NpyKind::boolean;
  if (code == 'i' && whole) return NpyKind::signed_integer;
  if (code == 'u' && whole) return NpyKind::unsigned_integer;
  if (code == 'f' && whole && size > 1) return NpyKind::floating;
  if (code == 'S' && size > 0) return NpyKind::bytes;
  if (code == 'U' && size > 0) return NpyKind::unicode;
  return std::nullopt;
}

void set_type(NpyHeader& header, std::string_view descr, const Refusal& refuse) {
  const std::string shown = in_quotes(descr);
  if (descr.find('O') != std::string_view::npos)
    refuse(
        fmt::format("holds Python objects (dtype {}), which only Python can read; save numbers, as with "
                    "array.astype(float), or strings, as with array.astype(str)",
                    shown));
  const auto unsupported = [&] {
    refuse(fmt::format("has dtype {}, which is neither real numbers nor text; save it as float64", shown));
  };
  if (descr.size() < 3) unsupported();
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  const std::optional<NpyKind> kind = kind_of(descr[1], size);
  if (error != std::errc() || end != descr.data() + descr.size() || size > (std::size_t{1} << 24) || !kind)
    unsupported();
  header.kind = *kind;
  header.cell_size = *kind == NpyKind::unicode ? 4 * size : size;  // UTF-32
  if (descr[0] == '>' && *kind != NpyKind::bytes && header.cell_size > 1)
    refuse(fmt::format("is big-endian (dtype {}); save it with array.astype('<f8')", shown));
}

void set_cells(NpyHeader& header, std::size_t available, const Refusal& refuse) {
  header.cells = 1;
  bool overflow = false;
  for (const Index length : header.shape) overflow |= __builtin_mul_overflow(header.cells, length, &header.cells);
  // A length of 0 must not hide an overflow before it; such an array is nonsense either way.
  const auto cell_size = static_cast<Index>(header.cell_size);
  if (overflow || header.cells > std::numeric_limits<Index>::max() / cell_size ||
      static_cast<std::size_t>(header.cells) * header.cell_size > available)
    refuse(
        fmt::format("the NPY header announces shape ({}) of {}-byte cells, and the file holds {} bytes of them; it is "
                    "truncated, write it again",
                    fmt::join(header.shape, ", "), header.cell_size, available));
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& path) {
  const Refusal refuse(path);
  NpyHeader header;
  DictionaryReader dictionary(header_text(bytes, header.data_offset, refuse), refuse);
  dictionary.read();
  header.fortran_order = dictionary.fortran_order;
  header.shape = dictionary.shape;
  set_type(header, dictionary.descr, refuse);
  set_cells(header, bytes.size() - header.data_offset, refuse);
  return header;
}

}  // namespace spicymkl
