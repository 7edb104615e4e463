#include "record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cell.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

/// Behind the quoted field that opens at `open`: npos if it does not close.
std::size_t behind_closing_quote(std::string_view text, std::size_t open) {
  for (std::size_t at = open + 1;;) {
    at = text.find('"', at);
    if (at == std::string_view::npos) return at;
    if (at + 1 >= text.size() || text[at + 1] != '"') return at + 1;
    at += 2;
  }
}

}  // namespace

std::string_view Field::text(std::string& scratch) const {
  if (!quoted) return trimmed(raw);
  if (raw.find('"') == std::string_view::npos) return raw;
  scratch.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    scratch += raw[i];
    if (raw[i] == '"') ++i;  // the second of a pair
  }
  return scratch;
}

void FieldCursor::skip_to(const char* field_end) {
  done_ = field_end == end_;
  next_ = done_ ? end_ : field_end + 1;
}

Field FieldCursor::next() {
  if (next_ != end_ && *next_ == '"') return next_quoted();
  const std::string_view rest(next_, end_ - next_);
  const Field field{rest.substr(0, rest.find(separator_)), false};
  skip_to(field.raw.data() + field.raw.size());
  return field;
}

Field FieldCursor::next_quoted() {
  const std::string_view rest(next_, end_ - next_);
  const std::size_t behind = std::min(behind_closing_quote(rest, 0), rest.size());
  const Field field{rest.substr(1, behind - 2), true};
  skip_to(next_ + std::min(rest.find(separator_, behind), rest.size()));
  return field;
}

bool RecordReader::next() {
  if (text_.empty()) return false;
  record_line_ = line_;
  std::size_t end = std::min(text_.find('\n'), text_.size());
  if (has_quotes_ && std::memchr(text_.data(), '"', end) != nullptr) end = quoted_record_end();
  record_ = text_.substr(0, end);
  line_ += 1;
  if (has_quotes_) line_ += std::count(record_.begin(), record_.end(), '\n');
  text_.remove_prefix(std::min(end + 1, text_.size()));
  if (!record_.empty() && record_.back() == '\r') record_.remove_suffix(1);
  return true;
}

std::size_t RecordReader::quoted_record_end() const {
  std::size_t newline = std::min(text_.find('\n'), text_.size());
  for (std::size_t at = 0;;) {
    if (at > newline) newline = std::min(text_.find('\n', at), text_.size());
    const std::size_t quote = text_.substr(0, newline).find('"', at);
    if (quote == std::string_view::npos) return newline;
    const bool opens_field = quote == 0 || text_[quote - 1] == separator_;
    at = opens_field ? behind_quoted_field(quote) : quote + 1;
  }
}

std::size_t RecordReader::behind_quoted_field(std::size_t open) const {
  const auto place = [&] { return at_line(path_, record_line_ + std::count(text_.data(), text_.data() + open, '\n')); };
  const std::size_t close = behind_closing_quote(text_, open);
  if (close == std::string_view::npos)
    throw InputError(fmt::format(
        "{}: a quoted field begins here and does not end; close it with \" or double the quotes inside it", place()));
  const std::size_t at = std::min(text_.find_first_not_of(" \r", close), text_.size());
  if (at < text_.size() && text_[at] != separator_ && text_[at] != '\n')
    throw InputError(fmt::format("{}: a quoted field is followed by {}; double the quotes inside a quoted field",
                                 place(), in_quotes(text_.substr(at, 1))));
  return at;
}

std::vector<std::string> split_record(std::string_view record, char separator) {
  std::vector<std::string> texts;
  std::string scratch;
  FieldCursor fields(record, separator);
  while (!fields.done()) texts.emplace_back(fields.next().text(scratch));
  return texts;
}

Index count_fields(std::string_view record, char separator) {
  Index count = 0;
  for (FieldCursor fields(record, separator); !fields.done(); ++count) fields.next();
  return count;
}

}  // namespace spicymkl
