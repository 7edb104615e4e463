// Every loss and regulariser that the tests go through, with the parameters that make them interesting.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "core/named_table.hpp"
#include "spicymkl/loss/loss.hpp"
#include "spicymkl/regularizer/custom.hpp"
#include "spicymkl/regularizer/regularizer.hpp"

namespace testing_support {

struct LossCase {
  std::string name;
  double epsilon = 0.1;
  double quantile = 0.5;

  std::shared_ptr<const spicymkl::Loss> make() const { return spicymkl::make_loss(name, {epsilon, quantile}); }
  bool classifies() const { return spicymkl::loss_type(name).labels == spicymkl::LabelKind::two_classes; }
};

struct RegularizerCase {
  std::string name;
  double alpha = 1;
  double l1_ratio = 0.5;
  double q = 1.5;

  std::shared_ptr<const spicymkl::Regularizer> make() const {
    return spicymkl::make_regularizer(name, {alpha, l1_ratio, q});
  }
  RegularizerCase with_alpha(double strength) const { return {name, strength, l1_ratio, q}; }
};

/// It is the sum of the losses of its entries; the others are tested as a whole (joint_loss_test.cpp).
inline bool splits(const spicymkl::LossType& type) {
  return type.labels == spicymkl::LabelKind::two_classes || type.labels == spicymkl::LabelKind::real;
}

/// One entry per loss of the library that splits, with parameters that are not symmetric where it takes any.
inline std::vector<LossCase> each_loss() {
  std::vector<LossCase> cases;
  for (const spicymkl::LossType& type : spicymkl::loss_types())
    if (splits(type)) cases.push_back({type.name, 0.1, 0.3});
  return cases;
}

/// The regularisers of the end-to-end tests: every one of the library, and a power that is steep.
inline std::vector<RegularizerCase> each_regularizer() {
  std::vector<RegularizerCase> cases = {{"blockq", 1, 0.5, 3}};
  for (const spicymkl::RegularizerType& type : spicymkl::regularizer_types()) cases.push_back({type.name, 1, 0.4, 1.4});
  return cases;
}

inline std::string digits(double number) {
  std::string text = std::to_string(number).substr(0, 4);
  for (char& c : text)
    if (c == '.' || c == '-') c = '_';
  return text;
}

inline std::string label(const LossCase& loss) {
  std::string text = loss.name;
  for (const std::string& parameter : spicymkl::loss_type(loss.name).parameters)
    text += "_" + digits(parameter == "quantile" ? loss.quantile : loss.epsilon);
  return text;
}

inline std::string label(const RegularizerCase& regularizer) {
  std::string text = regularizer.name;
  for (const std::string& parameter : spicymkl::regularizer_type(regularizer.name).parameters)
    text += parameter == "q" ? "_q" + digits(regularizer.q) : "_r" + digits(regularizer.l1_ratio);
  if (regularizer.alpha != 1) text += "_a" + digits(regularizer.alpha);
  return text;
}

// GoogleTest prints parameters with these.
inline void PrintTo(const LossCase& loss, std::ostream* out) { *out << label(loss); }
inline void PrintTo(const RegularizerCase& regularizer, std::ostream* out) { *out << label(regularizer); }

}  // namespace testing_support
