#include "safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <streambuf>

#include "gzip.hpp"
#include "json_text.hpp"
#include "mapped_file.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

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

namespace {

std::string_view bytes_of(std::span<const double> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void copy_rows(const Matrix& matrix, Index top, Rows& piece) {
  constexpr Index kAcross = 8;  // columns that are read side by side, so that whole lines of the cache are written
  const Index rows = std::min(piece.rows(), matrix.rows() - top), width = matrix.cols();
  for (Index j = 0; j < width; j += kAcross) {
    const Index across = std::min(kAcross, width - j);
    piece.block(0, j, rows, across) = matrix.block(top, j, rows, across);
  }
}

/// The matrix by rows, in pieces that stay within a cache: one is made while the last is handed on.
void for_each_piece(const Matrix& matrix, int threads, const ByteSink& sink) {
  constexpr Index kPiece = 1 << 19;
  const Index n = matrix.rows(), width = matrix.cols(), height = std::max(kPiece / std::max(width, Index{1}), Index{1});
  std::array<Rows, 2> pieces;
  for (Rows& piece : pieces) piece.resize(std::min(height, n), width);
  if (n > 0) copy_rows(matrix, 0, pieces[0]);
  for (Index top = 0, turn = 0; top < n; top += height, turn = 1 - turn) {
    const Index rows = std::min(height, n - top);
    parallel_for(2, threads, static_cast<double>(rows * width), [&](Index begin, Index end) {
      for (Index part = begin; part < end; ++part) {
        if (part == 0) sink(bytes_of({pieces[turn].data(), static_cast<std::size_t>(rows * width)}));
        else if (top + height < n) copy_rows(matrix, top + height, pieces[1 - turn]);
      }
    });
  }
}

/// A tensor of a file, whichever way it is kept.
struct StoredTensor {
  std::vector<Index> shape;
  const Tensor* tensor = nullptr;
  const Matrix* lent = nullptr;

  std::size_t bytes() const {
    return sizeof(double) * (lent != nullptr ? static_cast<std::size_t>(lent->size()) : tensor->values.size());
  }
  void send(int threads, const ByteSink& sink) const {
    if (lent != nullptr) for_each_piece(*lent, threads, sink);
    else sink(bytes_of(tensor->values));
  }
};

std::map<std::string, StoredTensor> entries_of(const TensorFile& file) {
  std::map<std::string, StoredTensor> entries;
  for (const auto& [name, tensor] : file.tensors) entries[name] = {tensor.shape, &tensor, nullptr};
  for (const auto& [name, matrix] : file.lent) entries[name] = {{matrix->rows(), matrix->cols()}, nullptr, matrix};
  return entries;
}

/// Hands on what a stream is given, in pieces.
class PieceBuffer final : public std::streambuf {
 public:
  explicit PieceBuffer(const ByteSink& sink) : sink_(sink) { restart(); }

 private:
  void restart() { setp(piece_.data(), piece_.data() + piece_.size()); }
  int sync() override {
    sink_({pbase(), static_cast<std::size_t>(pptr() - pbase())});
    restart();
    return 0;
  }
  int_type overflow(int_type letter) override {
    sync();
    return sputc(traits_type::to_char_type(letter));
  }

  const ByteSink& sink_;
  std::string piece_ = std::string(std::size_t{1} << 16, ' ');
};

/// The header of a model of a million kernels has hundreds of megabytes, which are never there as one text.
void send(const nlohmann::ordered_json& json, const std::string& padding, const ByteSink& sink) {
  PieceBuffer buffer(sink);
  std::ostream stream(&buffer);
  stream.exceptions(std::ios::badbit);  // what the sink throws would be swallowed
  stream << json << padding << std::flush;
}

}  // namespace

void write_safetensors(TensorFile file, int threads, const ByteSink& sink) {
  const std::map<std::string, StoredTensor> entries = entries_of(file);
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  auto& metadata = header["__metadata__"] = nlohmann::ordered_json::object();
  for (auto& [name, text] : file.metadata) metadata[name] = std::move(text);
  std::size_t offset = 0;
  for (const auto& [name, entry] : entries) {
    const std::size_t end = offset + entry.bytes();
    header[name] = {{"dtype", "F64"}, {"shape", entry.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::uint64_t length = 0;
  send(header, "", [&](std::string_view piece) { length += piece.size(); });
  const std::string padding((8 - length % 8) % 8, ' ');  // data start aligned
  length += padding.size();
  sink({reinterpret_cast<const char*>(&length), sizeof(length)});
  send(header, padding, sink);
  for (const auto& [name, entry] : entries) entry.send(threads, sink);
}

std::string to_safetensors(const TensorFile& file) {
  std::string bytes;
  write_safetensors(file, 1, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::uint32_t tensor_checksum(const TensorFile& file, int threads) {
  std::string sums;
  for (const auto& [name, entry] : entries_of(file)) {
    std::uint32_t sum = checksum("");
    entry.send(threads,
               [&](std::string_view piece) { sum = checksum_of_both(sum, checksum(piece, threads), piece.size()); });
    sums += fmt::format("{} {:08x}\n", name, sum);
  }
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
