// Values as bytes, for ranks of one program on machines of one kind: written and read in the same order.
#pragma once

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "spicymkl/core/types.hpp"
#include "spicymkl/distributed/communicator.hpp"

namespace spicymkl {

class Writer {
 public:
  template <class Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value>
  void put(Value value) { put_raw(&value, sizeof(value)); }
  void put(const std::string& text) { put_block(text.data(), text.size()); }
  void put(const Bytes& bytes) { put_block(bytes.data(), bytes.size()); }
  void put(const Vector& vector) { put_block(vector.data(), sizeof(double) * vector.size()); }
  void put(const Matrix& matrix);
  void put(const std::vector<Index>& indices) { put_block(indices.data(), sizeof(Index) * indices.size()); }
  void put(const std::vector<std::string>& texts);
  void put(const std::vector<bool>& flags);
  void put(const std::map<std::string, double>& values);

  const Bytes& bytes() const { return bytes_; }
  Bytes take() { return std::move(bytes_); }

 private:
  void put_raw(const void* data, std::size_t size);
  void put_block(const void* data, std::size_t size);

  Bytes bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value> Value get() {
    Value value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string text();
  /// A view of the bytes that are read from.
  std::span<const std::byte> block() { return take(get<std::uint64_t>()); }
  Vector vector();
  Matrix matrix();
  std::vector<Index> indices();
  std::vector<std::string> texts();
  std::vector<bool> flags();
  std::map<std::string, double> values();

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > left_.size()) throw std::runtime_error("a message between ranks is too short");
    const auto taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }

  std::span<const std::byte> left_;
};

}  // namespace spicymkl
