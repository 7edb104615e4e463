#include "message.hpp"

namespace spicymkl {

void Writer::put_raw(const void* data, std::size_t size) {
  const auto* first = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), first, first + size);
}

void Writer::put_block(const void* data, std::size_t size) {
  put(static_cast<std::uint64_t>(size));
  if (size > 0) put_raw(data, size);
}

void Writer::put(const Matrix& matrix) {
  put(matrix.rows());
  put(matrix.cols());
  put_raw(matrix.data(), sizeof(double) * static_cast<std::size_t>(matrix.size()));
}

void Writer::put(const std::vector<std::string>& texts) {
  put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) put(text);
}

void Writer::put(const std::vector<bool>& flags) {
  put(static_cast<std::uint64_t>(flags.size()));
  for (const bool flag : flags) put(flag);
}

void Writer::put(const std::map<std::string, double>& values) {
  put(static_cast<std::uint64_t>(values.size()));
  for (const auto& [name, value] : values) {
    put(name);
    put(value);
  }
}

std::string Reader::text() {
  const auto bytes = block();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Vector Reader::vector() {
  const auto bytes = block();
  Vector vector(static_cast<Index>(bytes.size() / sizeof(double)));
  if (!bytes.empty()) std::memcpy(vector.data(), bytes.data(), bytes.size());
  return vector;
}

Matrix Reader::matrix() {
  const auto rows = get<Index>(), cols = get<Index>();
  const auto bytes = take(sizeof(double) * static_cast<std::size_t>(rows * cols));
  Matrix matrix(rows, cols);
  if (!bytes.empty()) std::memcpy(matrix.data(), bytes.data(), bytes.size());
  return matrix;
}

std::vector<Index> Reader::indices() {
  const auto bytes = block();
  std::vector<Index> indices(bytes.size() / sizeof(Index));
  if (!bytes.empty()) std::memcpy(indices.data(), bytes.data(), bytes.size());
  return indices;
}

std::vector<std::string> Reader::texts() {
  std::vector<std::string> texts(get<std::uint64_t>());
  for (std::string& one : texts) one = text();
  return texts;
}

std::vector<bool> Reader::flags() {
  std::vector<bool> flags(get<std::uint64_t>());
  for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = get<bool>();
  return flags;
}

std::map<std::string, double> Reader::values() {
  std::map<std::string, double> values;
  for (auto count = get<std::uint64_t>(); count > 0; --count) {
    std::string name = text();
    values[std::move(name)] = get<double>();
  }
  return values;
}

}  // namespace spicymkl
