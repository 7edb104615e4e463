// The safetensors container: named arrays and a map of strings. No code runs on loading it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

struct Tensor {
  std::vector<Index> shape;
  std::vector<double> values;  ///< row-major

  static Tensor of(ConstVectorRef vector);
  /// Rows and columns as in the matrix.
  static Tensor of_matrix(ConstMatrixRef matrix);
  /// Of a tensor with one or two dimensions; any other is an InputError.
  Vector vector() const;
  Matrix matrix() const;
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, const Matrix*> lent;  ///< written as tensors, but not copied; they must outlive this
  std::map<std::string, std::string> metadata;
};

/// Takes the bytes of a file, one piece after the other, from one thread at a time, whichever that is.
using ByteSink = std::function<void(std::string_view)>;

/// All tensors are stored as F64. A file that is moved here is not copied.
void write_safetensors(TensorFile file, int threads, const ByteSink& sink);
/// The same as one string.
std::string to_safetensors(const TensorFile& file);
/// Shows whether a number in any tensor has changed; the container has no checksum of its own.
std::uint32_t tensor_checksum(const TensorFile& file, int threads = 1);
/// An unreadable or truncated file is an InputError.
TensorFile read_safetensors(const std::string& path);
/// The same from memory; `source` names it in messages.
TensorFile parse_safetensors(std::string_view bytes, const std::string& source);

}  // namespace spicymkl
