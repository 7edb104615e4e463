#include "safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "gzip.hpp"
#include "json_text.hpp"
#include "mapped_file.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

void require_dimensions(const Tensor& tensor, std::size_t expected) {
  if (tensor.shape.size() != expected)
    throw InputError(fmt::format("a tensor has {} dimensions where {} are expected", tensor.shape.size(), expected));
}

}  // namespace

Tensor Tensor::of(ConstVectorRef vector) { return {{vector.size()}, {vector.begin(), vector.end()}}; }

Tensor Tensor::of_matrix(ConstMatrixRef matrix) {
  constexpr Index kBlock = 32;  // squares of it are read by column and written by row without leaving the cache
  Tensor tensor{{matrix.rows(), matrix.cols()}, std::vector<double>(matrix.size())};
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> rows(tensor.values.data(),
                                                                                          matrix.rows(), matrix.cols());
  for (Index i = 0; i < matrix.rows(); i += kBlock)
    for (Index j = 0; j < matrix.cols(); j += kBlock) {
      const Index down = std::min(kBlock, matrix.rows() - i), across = std::min(kBlock, matrix.cols() - j);
      rows.block(i, j, down, across) = matrix.block(i, j, down, across);
    }
  return tensor;
}

Vector Tensor::vector() const {
  require_dimensions(*this, 1);
  return Eigen::Map<const Vector>(values.data(), std::ssize(values));
}

Matrix Tensor::matrix() const {
  require_dimensions(*this, 2);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(values.data(),
                                                                                                  shape[0], shape[1]);
}

std::string to_safetensors(const TensorFile& file) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  header["__metadata__"] = file.metadata;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(double);
    header[name] = {{"dtype", "F64"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string bytes = header.dump();  // of many kernels it is long
  bytes.reserve(bytes.size() + 2 * sizeof(std::uint64_t) + offset);
  header.clear();
  bytes.append((8 - bytes.size() % 8) % 8, ' ');  // data start aligned
  const std::uint64_t length = bytes.size();
  bytes.insert(0, sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  for (const auto& [name, tensor] : file.tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(double));
  return bytes;
}

std::uint32_t tensor_checksum(const TensorFile& file) {
  std::string sums;
  for (const auto& [name, tensor] : file.tensors)
    sums += fmt::format(
        "{} {:08x}\n", name,
        checksum({reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(double)}));
  return checksum(sums);
}

namespace {

constexpr std::size_t kMostDimensions = 8;

std::size_t whole_number(const nlohmann::json& value) {
  if (!value.is_number_unsigned()) throw std::runtime_error("a shape or an offset is not a whole number");
  return value.get<std::size_t>();
}

/// Bytes of a tensor of that shape.
std::size_t size_of(const std::vector<Index>& shape) {
  std::size_t bytes = sizeof(double);
  for (const Index length : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(length), &bytes))
      throw std::runtime_error("a shape is too large");
  return bytes;
}

/// `taken` bytes of the data belong to other tensors.
Tensor read_tensor(const nlohmann::json& entry, std::size_t taken, std::string_view data) {
  if (entry.at("dtype") != "F64") throw std::runtime_error("a tensor is not of type F64");
  if (entry.at("shape").size() > kMostDimensions) throw std::runtime_error("a tensor has too many dimensions");
  Tensor tensor;
  for (const nlohmann::json& length : entry.at("shape")) {
    const std::size_t size = whole_number(length);
    if (size > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      throw std::runtime_error("a shape is too large");
    tensor.shape.push_back(static_cast<Index>(size));
  }
  const std::size_t begin = whole_number(entry.at("data_offsets").at(0));
  const std::size_t end = whole_number(entry.at("data_offsets").at(1));
  if (begin > end || end > data.size() || end - begin != size_of(tensor.shape))
    throw std::runtime_error("it ends before its data do; it is truncated");
  if (end - begin > data.size() - taken) throw std::runtime_error("its tensors overlap");
  tensor.values.resize((end - begin) / sizeof(double));
  if (begin < end) std::memcpy(tensor.values.data(), data.data() + begin, end - begin);
  return tensor;
}

}  // namespace

TensorFile read_safetensors(const std::string& path) { return parse_safetensors(map_file(path).bytes, path); }

TensorFile parse_safetensors(std::string_view bytes, const std::string& source) {
  try {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof(length)) throw std::runtime_error("it is too short");
    std::memcpy(&length, bytes.data(), sizeof(length));
    if (length > bytes.size() - sizeof(length))
      throw std::runtime_error("it ends inside its header or is no such file");
    const auto header = parse_json(bytes.substr(sizeof(length), length), "its header");
    const std::string_view data = bytes.substr(sizeof(length) + length);
    TensorFile file;
    std::size_t left = data.size();  // tensors that share their bytes would make much out of little
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        file.metadata = entry.get<std::map<std::string, std::string>>();
        continue;
      }
      const Tensor& tensor = file.tensors[name] = read_tensor(entry, data.size() - left, data);
      left -= tensor.values.size() * sizeof(double);
    }
    return file;
  } catch (const std::bad_alloc&) {
    throw;  // says nothing of the file
  } catch (const std::exception& error) {
    throw InputError(fmt::format("'{}' is not a readable safetensors file: {}", source, shortened(error.what())));
  }
}

}  // namespace spicymkl
