// What a regulariser must answer: Section 4 of the paper, one function G(x) = alpha·g(x²) of the norm x = ‖f_m‖ ≥ 0.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/sloped_value.hpp"

namespace spicymkl {

/// G is convex and non-decreasing on x ≥ 0 with G(0) = 0. Arguments named u are norms of the dual vector, v and x norms
/// of a kernel's function, gamma the step of the proximal operator.
class Regularizer {
 public:
  virtual ~Regularizer() = default;

  virtual std::string_view name() const = 0;
  virtual double alpha() const = 0;

  /// G(x)
  virtual double value(double x) const = 0;
  /// G*(u), Eq. (45); +∞ beyond dual_bound.
  virtual double conjugate(double u) const = 0;
  /// The minimiser over x ≥ 0 of gamma·G(x) + (x − v)²/2 (Section 4.2; Eq. (13) for block 1-norm).
  virtual double prox(double v, double gamma) const = 0;
  /// Derivative of prox with respect to v.
  virtual double prox_slope(double v, double gamma) const = 0;
  /// Moreau envelope of the conjugate of gamma·G at v; its derivative is prox (Section 4.2; half of what Eq. (22)
  /// prints).
  virtual double envelope(double v, double gamma) const;

  /// The kernel weight d that belongs to the norm x: d = alpha·x/G′(x), the d_m = 1/(2g′(x²)) of Section 4.1.
  virtual double weight(double x) const = 0;
  /// True when g is concave, so that the penalty is a price of kernel weights (Section 4.1, Table 3):
  /// G(x) = (alpha/2)·min over d in [0, largest_weight()] of x²/d + h(d), with the minimum at d = weight(x).
  virtual bool has_weight_price() const { return false; }
  /// h(d) and its derivatives for 0 ≤ d < largest_weight(), asked only of a regulariser that has them. The curvature
  /// may be infinite at 0.
  virtual CurvedValue weight_price(double d) const;
  virtual double largest_weight() const { return std::numeric_limits<double>::infinity(); }

  /// True when G* is finite and twice differentiable (almost everywhere), so that one step solves the problem
  /// (Section 4.3).
  virtual bool has_smooth_dual() const = 0;
  /// G*′(u) and G*″(u), asked only of a regulariser with a smooth dual.
  virtual double conjugate_slope(double u) const;
  virtual double conjugate_curvature(double u) const;

  /// Largest u with G*(u) finite.
  virtual double dual_bound() const { return std::numeric_limits<double>::infinity(); }
  /// G′(0+): a kernel whose ‖ρ‖_Km stays below it has weight zero.
  virtual double threshold() const = 0;
};

struct RegularizerParameters {
  double alpha = 1.0;     ///< strength; the C of the paper
  double l1_ratio = 0.5;  ///< 1 − λ of the paper
  double q = 1.5;         ///< the exponent of the block q-norm
};

/// What there is to know of a penalty before it is made. Each file of src/regularizer that defines one has one.
struct RegularizerType {
  std::string name;
  std::string description;                   ///< its formula and what it is for, one line
  std::vector<std::string> parameters = {};  ///< members of RegularizerParameters that it takes beside alpha
  /// Of those that it does not take, the values that make alpha(l1_ratio·x^q/q + (1 − l1_ratio)·x²/2) this penalty.
  std::map<std::string, double> fixed = {};
  std::unique_ptr<Regularizer> (*make)(const RegularizerParameters&);
};

/// Every penalty of the library.
const std::vector<RegularizerType>& regularizer_types();
/// The names of those that switch kernels off.
std::vector<std::string> selecting_penalties();
/// An unknown name is an InputError.
const RegularizerType& regularizer_type(std::string_view name);

/// The regulariser of that name; an unknown name or a bad parameter is an InputError.
std::unique_ptr<Regularizer> make_regularizer(std::string_view name, const RegularizerParameters& parameters);

}  // namespace spicymkl
