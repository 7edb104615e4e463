#include "spicymkl/io/safetensors.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "spicymkl/core/error.hpp"
#include "spicymkl/io/mapped_file.hpp"

namespace spicymkl {

Tensor Tensor::of(ConstVectorRef vector) { return {{vector.size()}, {vector.begin(), vector.end()}}; }

Tensor Tensor::of_matrix(ConstMatrixRef matrix) {
  Tensor tensor{{matrix.rows(), matrix.cols()}, std::vector<double>(static_cast<std::size_t>(matrix.size()))};
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      tensor.values.data(), matrix.rows(), matrix.cols()) = matrix;
  return tensor;
}

Vector Tensor::vector() const { return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())); }

Matrix Tensor::matrix() const {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), shape.at(0), shape.at(1));
}

std::string to_safetensors(const TensorFile& file) {
  nlohmann::ordered_json header;
  header["__metadata__"] = file.metadata;
  std::size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(double);
    header[name] = {{"dtype", "F64"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // data start aligned
  const std::uint64_t length = text.size();
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  bytes += text;
  for (const auto& [name, tensor] : file.tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(double));
  return bytes;
}

namespace {

Tensor read_tensor(const nlohmann::json& entry, std::string_view data) {
  if (entry.at("dtype") != "F64") throw std::runtime_error("a tensor is not of type F64");
  Tensor tensor;
  tensor.shape = entry.at("shape").get<std::vector<Index>>();
  const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
  const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
  std::size_t count = 1;
  for (const Index length : tensor.shape) count *= static_cast<std::size_t>(length);
  if (begin > end || end > data.size() || end - begin != count * sizeof(double))
    throw std::runtime_error("it ends before its data do; it is truncated");
  tensor.values.resize(count);
  std::memcpy(tensor.values.data(), data.data() + begin, end - begin);
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
    const auto header = nlohmann::json::parse(bytes.substr(sizeof(length), length));
    const std::string_view data = bytes.substr(sizeof(length) + length);
    TensorFile file;
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") file.metadata = entry.get<std::map<std::string, std::string>>();
      else file.tensors[name] = read_tensor(entry, data);
    }
    return file;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("'{}' is not a readable safetensors file: {}", source, error.what()));
  }
}

}  // namespace spicymkl
