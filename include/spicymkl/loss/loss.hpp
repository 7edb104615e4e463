// What a loss must answer. docs/mathematics.md and Sections 3.2 to 3.4 of the paper use the same names:
// y label, z prediction, ρ dual value. Every conjugate here is the function ρ ↦ ℓ*(y, −ρ).
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/loss/joint_loss.hpp"

namespace spicymkl {

struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// Value and derivatives of a function of (ρ, ρ̃), the dual value and the auxiliary variable of one sample.
struct DualTerm {
  double value = 0;
  double d_rho = 0, d_aux = 0;
  double d_rho_rho = 0, d_rho_aux = 0, d_aux_aux = 0;
};

/// two_classes: −1 and +1. real: numbers. several_classes: one output per class, 1 for that of the sample and 0 for the
/// others. survival: the rank of the time, from 1 on, negative where the sample was lost before the event.
enum class LabelKind { two_classes, real, several_classes, survival };

/// A loss ℓ(y, z), convex in z. Its conjugate is given in the constrained form of Section 3.4.2, Eq. (33):
///   ℓ*(y, −ρ) = min over ρ̃ of { ℓ0*(y, (−ρ, ρ̃)) : h_j(y, (−ρ, ρ̃)) ≤ 0 for every j }.
/// A conjugate without boundary or kink has no constraint: then ℓ0* is ℓ* itself (Section 3.3).
/// One auxiliary variable per sample is enough for a kink, so ρ̃ is a number.
class Loss {
 public:
  virtual ~Loss() = default;

  virtual std::string_view name() const = 0;
  virtual LabelKind labels() const = 0;

  /// ℓ(y, z)
  virtual double value(double y, double z) const = 0;
  /// An element of −∂ℓ/∂z: the dual value that belongs to a prediction. It lies in dual_domain.
  virtual double dual_point(double y, double z) const = 0;
  /// ℓ*(y, −ρ), +∞ outside dual_domain.
  virtual double conjugate(double y, double rho) const = 0;
  /// The closed interval of ρ on which the conjugate is finite. It contains 0.
  virtual Interval dual_domain(double y) const = 0;

  /// Where the loss does not split over its entries, the whole of it for these labels and weights, N rows of
  /// `n_outputs` each, those of one output after those of another; then the problem asks it in place of the functions
  /// below. Null for all others. Labels that it cannot learn from are an InputError.
  virtual std::unique_ptr<const JointLoss> join(ConstVectorRef, ConstVectorRef, Index) const { return nullptr; }

  /// μ such that the conjugate is μ-strongly convex in ρ; 0 where it has straight pieces.
  virtual double conjugate_convexity() const { return 0; }

  /// True where the conjugate is a quadratic function of ρ on dual_domain, whose ends many dual values of a solution
  /// lie on: then it is also a support vector machine's, and what is known of their duals applies.
  virtual bool has_svm_dual() const { return false; }

  /// True where the conjugate is a quadratic function everywhere: with kernel weights given, the dual is a linear
  /// system.
  virtual bool has_linear_dual() const { return false; }

  /// A loss without kinks that differs from this one by at most about `width`, and less the farther from the kinks, and
  /// whose conjugate is finite on the same domain; null where there is none.
  virtual std::unique_ptr<Loss> smoothed(double) const { return nullptr; }
  /// Of a loss made by `smoothed`: a smoother one to begin with, from whose solution this one's is soon found; null
  /// where this one is smooth enough.
  virtual std::unique_ptr<Loss> smoother() const { return nullptr; }

  /// Whether predictions that fit are near the labels, or of their sign; not so where labels are ranks of times.
  virtual bool predicts_labels() const { return true; }

  /// Whether several threads may ask it at once.
  virtual bool concurrent() const { return true; }

  /// ℓ0*(y, (−ρ, ρ̃)) with its derivatives.
  virtual DualTerm smooth_conjugate(double y, double rho, double aux) const = 0;
  /// Where ℓ0* is finite, an open interval: Newton steps stay inside it.
  virtual Interval smooth_domain(double y) const;

  virtual int n_constraints() const { return 0; }
  virtual bool has_auxiliary() const { return false; }
  /// h_j(y, (−ρ, ρ̃)) with its derivatives, 0 ≤ j < n_constraints().
  virtual DualTerm constraint(int j, double y, double rho, double aux) const;
};

/// Parameters of the losses that have one.
struct LossParameters {
  double epsilon = 0.1;   ///< half-width of the insensitive tube; where huber turns linear
  double quantile = 0.5;  ///< the quantile τ that the quantile loss estimates
};

/// What there is to know of a loss before it is made. Each file of src/loss has one.
struct LossType {
  std::string name;
  LabelKind labels;
  std::string description;                   ///< its formula and what it is for, one line
  std::vector<std::string> parameters = {};  ///< members of LossParameters that it takes
  bool log_odds = false;                     ///< scores are log-odds, which give probabilities
  std::unique_ptr<Loss> (*make)(const LossParameters&);
};

/// Every loss of the library.
const std::vector<LossType>& loss_types();
/// An unknown name is an InputError.
const LossType& loss_type(std::string_view name);
/// What `auto` takes.
const LossType& default_loss(LabelKind labels);

/// The loss of that name; an unknown name or a bad parameter is an InputError.
std::unique_ptr<Loss> make_loss(std::string_view name, const LossParameters& parameters = {});

}  // namespace spicymkl
