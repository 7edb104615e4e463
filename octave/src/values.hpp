// Octave's values in and out. MATLAB has the same interface.
#pragma once

#include <mex.h>

#include <memory>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl::octave {

/// The numbers of an array, column after column.
struct Numbers {
  const double* data = nullptr;       ///< Octave's own memory where that holds doubles
  std::vector<Index> shape;           ///< two lengths or more
  std::shared_ptr<const void> owner;  ///< of a copy, where it does not; else null

  Index size() const;
  /// "3, 4"
  std::string shape_text() const;
};

/// Real numbers or logical values of any class. Anything else is an InputError, in which `what` names the value.
Numbers to_numbers(const mxArray* value, const std::string& what);
/// One column or one row of numbers.
Vector to_vector(const mxArray* value, const std::string& what);
/// A char array of one row.
std::string to_text(const mxArray* value, const std::string& what);
/// A cell array of such.
std::vector<std::string> to_texts(const mxArray* value, const std::string& what);

/// Throws InputError: "options.tol is 'abc', but it must be a number".
[[noreturn]] void refuse_kind(const mxArray* value, const std::string& what, const std::string& wanted);

mxArray* from_number(double value);
mxArray* from_text(const std::string& text);
/// A column.
mxArray* from_texts(const std::vector<std::string>& texts);
mxArray* from_matrix(ConstMatrixRef matrix);
mxArray* from_shape(const std::vector<Index>& shape);  ///< all 0
/// Bytes as uint8, and back.
mxArray* from_bytes(const std::string& bytes);
std::string to_bytes(const mxArray* value, const std::string& what);

/// A struct that is filled field by field.
class NewStruct {
 public:
  NewStruct();
  NewStruct& set(const char* name, mxArray* value);
  NewStruct& set(const char* name, double value) { return set(name, from_number(value)); }
  NewStruct& set(const char* name, const std::string& text) { return set(name, from_text(text)); }
  NewStruct& set(const char* name, ConstMatrixRef matrix) { return set(name, from_matrix(matrix)); }
  mxArray* array() const { return array_; }

 private:
  mxArray* array_;
};

}  // namespace spicymkl::octave
