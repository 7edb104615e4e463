#include "arrays.hpp"

#include <algorithm>

#include "core/row_sums.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl::python {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::size_t count(const std::vector<std::size_t>& shape) {
  std::size_t product = 1;
  for (const std::size_t length : shape) product *= length;
  return product;
}

ArrayOut wrap(double* data, const std::vector<std::size_t>& shape) {
  const nb::capsule owner(data, [](void* pointer) noexcept { delete[] static_cast<double*>(pointer); });
  return {data, shape.size(), shape.data(), owner};
}

}  // namespace

Vector to_vector(const VectorIn& array) {
  using Strided = Eigen::Map<const Vector, 0, Eigen::InnerStride<>>;
  return Strided(array.data(), static_cast<Index>(array.shape(0)), Eigen::InnerStride<>(array.stride(0)));
}

namespace {

template <class Number, class Array>
Matrix copy_columns(const Array& array, const std::vector<Index>& columns, int threads) {
  using Strided = Eigen::Map<const Eigen::VectorX<Number>, 0, Eigen::InnerStride<>>;
  const auto* numbers = static_cast<const Number*>(array.data());
  const auto rows = static_cast<Index>(array.shape(0));
  Matrix matrix(rows, std::ssize(columns));
  constexpr Index block = 64;  // rows, so that a row-major array is read and the matrix written in whole cache lines
  parallel_for(std::ssize(columns), threads, kFromMemory * static_cast<double>(rows), [&](Index begin, Index end) {
    for (Index i = 0; i < rows; i += array.stride(0) == 1 ? rows : block) {
      const Index size = array.stride(0) == 1 ? rows : std::min(block, rows - i);
      const Number* first = numbers + i * array.stride(0);
      for (Index k = begin; k < end; ++k)
        matrix.col(k).segment(i, size) =
            Strided(first + columns[k] * array.stride(1), size, Eigen::InnerStride<>(array.stride(0)))
                .template cast<double>();
    }
  });
  return matrix;
}

}  // namespace

Matrix to_matrix(const MatrixIn& array) {
  return copy_columns<double>(array, all_kernels(static_cast<Index>(array.shape(1))), 1);
}

Matrix to_matrix(const TableIn& table, const std::vector<Index>& columns, int threads) {
  if (table.dtype() == nb::dtype<float>()) return copy_columns<float>(table, columns, threads);
  if (table.dtype() == nb::dtype<double>()) return copy_columns<double>(table, columns, threads);
  throw nb::type_error("a table must be an array of float64 or float32");
}

NewArray::NewArray(std::vector<std::size_t> shape) : data(new double[count(shape)]()), array(wrap(data, shape)) {}

ArrayOut to_numpy(const Vector& vector) {
  NewArray made({static_cast<std::size_t>(vector.size())});
  Eigen::Map<Vector>(made.data, vector.size()) = vector;
  return made.array;
}

ArrayOut to_numpy(const Matrix& matrix) {
  NewArray made({static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())});
  Eigen::Map<RowMajor>(made.data, matrix.rows(), matrix.cols()) = matrix;
  return made.array;
}

}  // namespace spicymkl::python
