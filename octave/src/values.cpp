#include "values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "spicymkl/core/error.hpp"

namespace spicymkl::octave {

namespace {

bool is_numbers(const mxArray* value) { return mxIsNumeric(value) || mxIsLogical(value); }

std::vector<Index> shape_of(const mxArray* value) {
  const mwSize* lengths = mxGetDimensions(value);
  return {lengths, lengths + mxGetNumberOfDimensions(value)};
}

/// What an error message shows of a value.
std::string shown(const mxArray* value) {
  constexpr std::size_t kMost = 60;
  if (mxIsChar(value) && mxGetM(value) <= 1) {
    const std::string text = to_text(value, "");
    return text.size() <= kMost ? fmt::format("'{}'", text) : fmt::format("'{}...'", text.substr(0, kMost));
  }
  if (mxIsSparse(value)) return "a sparse matrix";
  if (mxIsEmpty(value)) return "empty";
  if (is_numbers(value) && mxGetNumberOfElements(value) == 1 && !mxIsComplex(value))
    return fmt::format("{}", mxGetScalar(value));
  return fmt::format("a {} {} array", fmt::join(shape_of(value), " x "), mxGetClassName(value));
}

template <class Number>
std::shared_ptr<const std::vector<double>> converted(const mxArray* value) {
  const auto* first = static_cast<const Number*>(mxGetData(value));
  return std::make_shared<std::vector<double>>(first, first + mxGetNumberOfElements(value));
}

/// Of 64 bits: two that differ could become one double.
template <class Integer>
std::shared_ptr<const std::vector<double>> converted_exactly(const mxArray* value, const std::string& what) {
  constexpr Integer kMost = Integer{1} << 53;
  const auto* first = static_cast<const Integer*>(mxGetData(value));
  for (const Integer* at = first; at != first + mxGetNumberOfElements(value); ++at)
    if (std::cmp_greater(*at, kMost) || std::cmp_less(*at, -static_cast<std::int64_t>(kMost)))
      throw InputError(
          fmt::format("{} has the whole number {}, beyond those that double precision holds (2^53)", what, *at));
  return converted<Integer>(value);
}

/// As doubles; null for a class that holds none.
std::shared_ptr<const std::vector<double>> doubles_of(const mxArray* value, const std::string& what) {
  switch (mxGetClassID(value)) {
    case mxSINGLE_CLASS:
      return converted<float>(value);
    case mxLOGICAL_CLASS:
      return converted<mxLogical>(value);
    case mxINT8_CLASS:
      return converted<std::int8_t>(value);
    case mxUINT8_CLASS:
      return converted<std::uint8_t>(value);
    case mxINT16_CLASS:
      return converted<std::int16_t>(value);
    case mxUINT16_CLASS:
      return converted<std::uint16_t>(value);
    case mxINT32_CLASS:
      return converted<std::int32_t>(value);
    case mxUINT32_CLASS:
      return converted<std::uint32_t>(value);
    case mxINT64_CLASS:
      return converted_exactly<std::int64_t>(value, what);
    case mxUINT64_CLASS:
      return converted_exactly<std::uint64_t>(value, what);
    default:
      return nullptr;
  }
}

}  // namespace

void refuse_kind(const mxArray* value, const std::string& what, const std::string& wanted) {
  throw InputError(fmt::format("{} is {}, but it must be {}", what, shown(value), wanted));
}

Index Numbers::size() const {
  Index count = 1;
  for (const Index length : shape) count *= length;
  return count;
}

std::string Numbers::shape_text() const { return fmt::format("{}", fmt::join(shape, ", ")); }

Numbers to_numbers(const mxArray* value, const std::string& what) {
  if (mxIsSparse(value)) throw InputError(fmt::format("{0} is a sparse matrix; give full ({0})", what));
  if (!is_numbers(value)) refuse_kind(value, what, "an array of numbers");
  if (mxIsComplex(value)) throw InputError(fmt::format("{} has complex numbers, but they must be real", what));
  Numbers numbers;
  numbers.shape = shape_of(value);
  if (mxIsDouble(value)) {
    numbers.data = mxGetPr(value);
    return numbers;
  }
  const auto copy = doubles_of(value, what);
  if (!copy) refuse_kind(value, what, "an array of numbers");
  numbers.data = copy->data();
  numbers.owner = copy;
  return numbers;
}

Vector to_vector(const mxArray* value, const std::string& what) {
  const Numbers numbers = to_numbers(value, what);
  if (numbers.size() > 0 && std::ranges::count(numbers.shape, 1) + 1 < std::ssize(numbers.shape))
    throw InputError(fmt::format("{} has shape ({}), but it must be one column", what, numbers.shape_text()));
  return Eigen::Map<const Vector>(numbers.data, numbers.size());
}

std::string to_text(const mxArray* value, const std::string& what) {
  if (!mxIsChar(value) || mxGetM(value) > 1) refuse_kind(value, what, "a string");
  char* text = mxArrayToString(value);
  if (text == nullptr) return "";
  const std::string copy(text);
  mxFree(text);
  return copy;
}

std::vector<std::string> to_texts(const mxArray* value, const std::string& what) {
  if (!mxIsCell(value)) refuse_kind(value, what, "a cell array of strings");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < mxGetNumberOfElements(value); ++i) {
    const std::string entry = fmt::format("{}{{{}}}", what, i + 1);
    const mxArray* cell = mxGetCell(value, i);
    if (cell == nullptr) throw InputError(fmt::format("{} is empty, but it must be a string", entry));
    texts.push_back(to_text(cell, entry));
  }
  return texts;
}

mxArray* from_number(double value) { return mxCreateDoubleScalar(value); }

mxArray* from_text(const std::string& text) { return mxCreateString(text.c_str()); }

mxArray* from_texts(const std::vector<std::string>& texts) {
  mxArray* cells = mxCreateCellMatrix(texts.size(), 1);
  for (std::size_t i = 0; i < texts.size(); ++i) mxSetCell(cells, i, from_text(texts[i]));
  return cells;
}

mxArray* from_matrix(ConstMatrixRef matrix) {
  mxArray* array = mxCreateDoubleMatrix(matrix.rows(), matrix.cols(), mxREAL);
  Eigen::Map<Matrix>(mxGetPr(array), matrix.rows(), matrix.cols()) = matrix;
  return array;
}

mxArray* from_shape(const std::vector<Index>& shape) {
  const std::vector<mwSize> lengths(shape.begin(), shape.end());
  return mxCreateNumericArray(static_cast<mwSize>(lengths.size()), lengths.data(), mxDOUBLE_CLASS, mxREAL);
}

mxArray* from_bytes(const std::string& bytes) {
  mxArray* array = mxCreateNumericMatrix(1, bytes.size(), mxUINT8_CLASS, mxREAL);
  std::ranges::copy(bytes, static_cast<char*>(mxGetData(array)));
  return array;
}

std::string to_bytes(const mxArray* value, const std::string& what) {
  if (mxGetClassID(value) != mxUINT8_CLASS) refuse_kind(value, what, "an array of uint8");
  return {static_cast<const char*>(mxGetData(value)), mxGetNumberOfElements(value)};
}

NewStruct::NewStruct() : array_(mxCreateStructMatrix(1, 1, 0, nullptr)) {}

NewStruct& NewStruct::set(const char* name, mxArray* value) {
  mxSetFieldByNumber(array_, 0, mxAddField(array_, name), value);
  return *this;
}

}  // namespace spicymkl::octave
