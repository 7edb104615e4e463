#include "given_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "core/closest.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::octave {

namespace {

double to_scalar(const mxArray* field, const std::string& what, const char* wanted) {
  const bool number = mxIsNumeric(field) || mxIsLogical(field);
  if (!number || mxIsComplex(field) || mxGetNumberOfElements(field) != 1) refuse_kind(field, what, wanted);
  return mxGetScalar(field);
}

/// Whole numbers from `least` to the largest that a double tells from its neighbours and `most` allows.
double to_whole(const mxArray* field, const std::string& what, double least, double most, const char* wanted) {
  const double number = to_scalar(field, what, wanted);
  if (!(number == std::floor(number) && number >= least && number <= most)) refuse_kind(field, what, wanted);
  return number;
}

std::string number_text(double number) { return fmt::format("{}", number); }

}  // namespace

std::string spelled(const std::string& option) { return "options." + option; }

void set_value(const mxArray* field, const std::string& what, bool& value) {
  const double number = to_scalar(field, what, "true or false");
  if (number != 0 && number != 1) refuse_kind(field, what, "true or false");
  value = number != 0;
}

void set_value(const mxArray* field, const std::string& what, int& value) {
  constexpr double kMost = 2147483647;
  value = static_cast<int>(to_whole(field, what, -kMost, kMost, "a whole number of at most 2147483647"));
}

void set_value(const mxArray* field, const std::string& what, std::uint64_t& value) {
  constexpr double kMost = 9007199254740992;  // 2^53
  value = static_cast<std::uint64_t>(to_whole(field, what, 0, kMost, "a whole number, 0 or more"));
}

void set_value(const mxArray* field, const std::string& what, double& value) {
  value = to_scalar(field, what, "a number");
}

void set_value(const mxArray* field, const std::string& what, std::string& value) {
  value = mxIsChar(field) ? to_text(field, what) : number_text(to_scalar(field, what, "a string or a number"));
}

void set_value(const mxArray* field, const std::string& what, std::vector<double>& value) {
  const Vector numbers = to_vector(field, what);
  value.assign(numbers.begin(), numbers.end());
}

void set_value(const mxArray* field, const std::string& what, std::vector<std::string>& value) {
  value.clear();
  if (mxIsCell(field)) {
    value = to_texts(field, what);
  } else if (mxIsChar(field)) {
    std::istringstream list(to_text(field, what));
    for (std::string item; std::getline(list, item, ',');) value.push_back(item);
  } else {
    for (const double number : to_vector(field, what)) value.push_back(number_text(number));
  }
}

void set_value(const mxArray* field, const std::string& what, Vector& value) { value = to_vector(field, what); }

GivenOptions::GivenOptions(const mxArray* options, std::string function)
    : options_(options), function_(std::move(function)) {
  if (options_ == nullptr) return;
  const bool one = mxIsStruct(options_) && mxGetNumberOfElements(options_) == 1;
  if (!one && !(mxIsEmpty(options_) && mxIsDouble(options_))) refuse_kind(options_, "options", "a struct");
  if (!one) options_ = nullptr;
}

const mxArray* GivenOptions::find(const std::string& name) {
  known_.push_back(name);
  const mxArray* field = options_ == nullptr ? nullptr : mxGetField(options_, 0, name.c_str());
  if (field == nullptr || (mxIsEmpty(field) && !mxIsChar(field))) return nullptr;
  given_.insert(name);
  return field;
}

void GivenOptions::read_negation(const std::string& name, bool& value) {
  bool negated = !value;
  read(name, negated);
  value = !negated;
}

void GivenOptions::finish() const {
  if (options_ == nullptr) return;
  for (int f = 0; f < mxGetNumberOfFields(options_); ++f) {
    const std::string name = mxGetFieldNameByNumber(options_, f);
    if (std::ranges::count(known_, name) > 0) continue;
    const std::string meant = closest(name, known_);
    throw InputError(fmt::format("{} does not know {}{}", function_, spelled(name),
                                 meant.empty() ? "" : fmt::format("; did you mean {}?", spelled(meant))));
  }
}

}  // namespace spicymkl::octave
