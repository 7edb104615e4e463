// Records and fields of RFC 4180: a field whose first character is a quote may hold separators, newlines and doubled
// quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// A field as it stands in the file; `raw` is without the outer quotes, doubled quotes still doubled.
struct Field {
  std::string_view raw;
  bool quoted = false;

  /// The text: blanks around an unquoted field removed, doubled quotes undone. `scratch` holds it if it had to be
  /// changed.
  std::string_view text(std::string& scratch) const;
};

/// Walks the fields of one record (without its line end).
class FieldCursor {
 public:
  FieldCursor(std::string_view record, char separator)
      : next_(record.data()), end_(next_ + record.size()), separator_(separator) {}

  /// Where the next field begins; no further field when done().
  const char* position() const { return next_; }
  const char* end() const { return end_; }
  bool done() const { return done_; }
  /// Moves behind a field that was read by other means and ends at `field_end`, on a separator or the record's end.
  void skip_to(const char* field_end);
  Field next();

 private:
  Field next_quoted();

  const char* next_;
  const char* end_;
  char separator_;
  bool done_ = false;
};

/// Takes records off the front of a text and counts lines.
class RecordReader {
 public:
  /// Without quotes anywhere in the text, `has_quotes` = false spares the search for them in each record.
  RecordReader(std::string_view text, Index first_line, char separator, bool has_quotes, const std::string& path)
      : text_(text), line_(first_line), separator_(separator), has_quotes_(has_quotes), path_(path) {}

  /// False at the end of the text. Throws InputError for a quoted field that does not end, or is followed by more text.
  bool next();
  std::string_view record() const { return record_; }
  Index line() const { return record_line_; }      ///< on which the record begins
  Index next_line() const { return line_; }        ///< on which the next one begins
  std::string_view rest() const { return text_; }  ///< behind the record
  bool blank() const { return record_.find_first_not_of(' ') == std::string_view::npos; }

 private:
  std::size_t quoted_record_end() const;
  std::size_t behind_quoted_field(std::size_t open) const;

  std::string_view text_;
  std::string_view record_;
  Index line_;
  Index record_line_ = 0;
  char separator_;
  bool has_quotes_;
  const std::string& path_;
};

/// The strings of all fields of a record.
std::vector<std::string> split_record(std::string_view record, char separator);

Index count_fields(std::string_view record, char separator);

}  // namespace spicymkl
