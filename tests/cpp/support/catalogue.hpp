// Every loss and regulariser that the tests go through, with the parameters that make them interesting.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "spicymkl/loss/losses.hpp"
#include "spicymkl/regularizer/regularizers.hpp"

namespace testing_support {

struct LossCase {
  std::string name;
  double epsilon = 0.1;
  double quantile = 0.5;

  std::shared_ptr<const spicymkl::Loss> make() const { return spicymkl::make_loss(name, {epsilon, quantile}); }
  bool classifies() const { return name == "logistic" || name == "hinge" || name == "squared_hinge"; }
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

/// One entry a loss.
inline std::vector<LossCase> each_loss() {
  return {
      {"logistic"},          {"hinge"}, {"squared_hinge"}, {"squared"}, {"epsilon_insensitive", 0.1}, {"huber", 0.4},
      {"quantile", 0.1, 0.3}};
}

/// The regularisers of the end-to-end tests.
inline std::vector<RegularizerCase> each_regularizer() {
  return {{"block1"},  {"elasticnet", 1, 0.5}, {"blockq", 1, 0.5, 1.5}, {"blockq", 1, 0.5, 3},
          {"uniform"}, {"mixed", 1, 0.4, 1.4}};
}

inline std::string digits(double number) {
  std::string text = std::to_string(number).substr(0, 4);
  for (char& c : text)
    if (c == '.' || c == '-') c = '_';
  return text;
}

inline std::string label(const LossCase& loss) {
  if (loss.name == "quantile") return loss.name + "_" + digits(loss.quantile);
  if (loss.name == "huber" || loss.name == "epsilon_insensitive") return loss.name + "_" + digits(loss.epsilon);
  return loss.name;
}

inline std::string label(const RegularizerCase& regularizer) {
  std::string text = regularizer.name;
  if (text == "elasticnet" || text == "mixed") text += "_r" + digits(regularizer.l1_ratio);
  if (regularizer.name == "blockq" || regularizer.name == "mixed") text += "_q" + digits(regularizer.q);
  if (regularizer.alpha != 1) text += "_a" + digits(regularizer.alpha);
  return text;
}

// GoogleTest prints parameters with these.
inline void PrintTo(const LossCase& loss, std::ostream* out) { *out << label(loss); }
inline void PrintTo(const RegularizerCase& regularizer, std::ostream* out) { *out << label(regularizer); }

}  // namespace testing_support
