// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "spicymkl/core/types.hpp"

namespace spicymkl::python {

namespace nb = nanobind;

/// Read-only arrays are welcome: joblib hands memory-mapped ones to its workers.
using VectorIn = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using MatrixIn = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
/// The cells of a table, in single or double precision.
using TableIn = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class Number>
using GramsIn = nb::ndarray<const Number, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
/// In the memory of a GPU, of any numbers.
using DeviceGramsIn = nb::ndarray<nb::ro, nb::ndim<3>, nb::c_contig, nb::device::cuda>;

using ArrayOut = nb::ndarray<nb::numpy, double>;

/// Copies.
Vector to_vector(const VectorIn& array);
/// Copies all columns.
Matrix to_matrix(const MatrixIn& array);
/// Copies some columns, from whichever precision: nothing else is copied.
Matrix to_matrix(const TableIn& table, const std::vector<Index>& columns, int threads);

/// A new array of that shape, in C order, which owns its numbers; all 0.
struct NewArray {
  explicit NewArray(std::vector<std::size_t> shape);
  double* data;
  ArrayOut array;
};
ArrayOut to_numpy(const Vector& vector);
ArrayOut to_numpy(const Matrix& matrix);

}  // namespace spicymkl::python
