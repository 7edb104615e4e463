// The kernels' part of the inner objective: Σ_m θ(n_m) with n_m = ‖ρ + a_m‖_Km, its gradient, Hessian and values along
// a line, in the notation of docs/mathematics.md, "The inner objective".
#pragma once

#include "core/row_sums.hpp"
#include "kernel_images.hpp"
#include "kernel_potential.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/sloped_value.hpp"

namespace spicymkl {

/// Holds ρ, the shifts a_m = α_m/γ, and the products K_mρ and K_m a_m of the candidate kernels, so that a Newton step
/// reads each kernel once (for K_mΔ) and never again for the line search or the move. Of candidates whose images are
/// not held, which are not active, the norm is known up to an upper bound that keeps them so.
class KernelTerms {
 public:
  KernelTerms(const KernelBank& bank, const Regularizer& regularizer, std::vector<Index> candidates);

  /// Starts at ρ with the given γ; one pass over the candidates. Shifts are kept.
  void place(ConstVectorRef rho, double gamma);
  /// ρ ← cρ, without a pass; only where all shifts are zero.
  void scale_point(double c);
  const Vector& rho() const { return rho_; }
  double gamma() const { return potential_.gamma; }

  /// α_m of the kernels of `set` (columns of coef); all others are zero. Call place afterwards.
  void set_coefficients(KernelSet set, const Matrix& coef, double gamma);

  /// Σθ, over active kernels alone.
  double value() const;
  /// gradient += Σ θ′(n_m) u_m, u_m = K_m(ρ + a_m)/n_m: the kernels' part of Eq. (26).
  void add_gradient(VectorRef gradient) const;
  /// The kernels' part of the Hessian, Eq. (27): Σ (θ′/n_m)K_m + (θ″ − θ′/n_m) u_m u_mᵀ. Columns of low_rank() after
  /// n_added are subtracted (they arise when θ″ < θ′/n, as for block q-norm with q > 2). Its memory is kept from one
  /// use to the next and only ever grows.
  struct Hessian {
    std::vector<Index> kernels;
    Index n_added = 0;
    ConstVectorRef weights() const { return all_weights.head(std::ssize(kernels)); }
    ConstMatrixRef low_rank() const { return all_columns.leftCols(n_columns); }

    Vector all_weights;
    Matrix all_columns;
    Index n_columns = 0;
    std::vector<Index> places;   // of the active kernels' columns,
    std::vector<double> scales;  // which are so many times K_m(ρ + a_m)
  };
  /// `columns`, of the samples' part, come before those of the kernels and are added.
  void hessian(Hessian& out, ConstMatrixRef columns) const;

  /// Prepares values along ρ + cΔ, 0 ≤ c ≤ 1: one pass over the candidates.
  void prepare_line(ConstVectorRef direction);
  SlopedValue along(double c) const;
  /// ρ ← ρ + cΔ
  void move(double c);

  /// Kernels with θ′(n) > 0, as positions among the candidates.
  const std::vector<Index>& active() const { return active_; }
  Index n_active() const { return std::ssize(active_); }

  /// Σ_m K_m α_m⁺, and of the active kernels the norms ‖α_m⁺‖ and the factors of α_m⁺ = factor·(ρ + a_m), where
  /// α_m⁺ = prox(α_m + γρ), Eq. (11).
  Vector next_predictions() const;
  Vector next_norms() const;
  Vector next_factors() const;
  std::vector<Index> active_kernels() const;
  /// ‖ρ‖_Km of every candidate, or no less, from what is known already.
  Vector dual_norms() const;
  /// Σ_m ‖α_m⁺ − α_m‖²_Km/(2γ), the proximity term of Eq. (8).
  double movement() const;
  /// α_m ← α_m⁺
  void update_coefficients();
  /// Another γ for the same α_m.
  void set_gamma(double gamma);

  /// The kernels with non-zero α_m, and these.
  std::vector<Index> coefficient_kernels() const;
  Matrix coefficients() const;
  /// Σ_m K_m α_m, and the norms ‖α_m‖ in the order of coefficient_kernels.
  Vector coefficient_predictions() const;
  Vector coefficient_norms() const;

  Index kernel(Index position) const { return images_.kernel(position); }

 private:
  /// Of one dot product with a stored column, in multiplications: most columns come from far away.
  double column_cost() const { return kFromMemory * static_cast<double>(rho_.size()); }
  bool shifted(Index k) const { return shift_column_[k] >= 0; }
  /// Calls body(first, count) on parts of the rows, each of which takes so many multiplications; body(k) for every k <
  /// n.
  template <class Body>
  void for_rows(double cost, const Body& body) const {
    parallel_for(rho_.size(), bank_.threads(), kFromMemory * cost,
                 [&](Index begin, Index end) { body(begin, end - begin); });
  }
  template <class Body>
  void for_each_of(Index n, const Body& body) const {
    parallel_for(n, bank_.threads(), column_cost(), [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) body(k);
    });
  }
  /// Of a kernel and some rows, with w = ρ + a: wᵀKw, ‖w‖², ρᵀKρ, aᵀKw and aᵀKa.
  using PointSums = RowSums<5>;
  PointSums::Sums sums_at_point(Index k, Index first, Index count) const;
  /// ΔᵀKΔ and wᵀKΔ.
  using LineSums = RowSums<2>;
  LineSums::Sums sums_along_line(Index k, Index first, Index count) const;
  /// Whether a kernel whose ‖ρ + a_m‖ is n is active.
  bool is_active_at(double n) const { return n > 0 && potential_.slope(n) > 0; }
  /// Gives images to those that would be active at the end of the line.
  void look_ahead();
  /// out = factor·(ρ + a_m), and factor·K_m(ρ + a_m), from row `first` on
  void scaled_point(Index k, double factor, Index first, VectorRef out) const;
  void scaled_image(Index k, double factor, Index first, VectorRef out) const;
  double square_of(Index k, double sum, double squared_length) const;
  void refresh_norms();

  const KernelBank& bank_;
  KernelPotential potential_;
  Vector rho_;
  KernelImages images_;   // K_m ρ and K_m Δ
  Vector norms_;          // n_m = ‖ρ + a_m‖_Km
  Vector slopes_;         // θ′(n_m), 0 where n_m is
  Vector point_squares_;  // ‖ρ‖²_Km
  std::vector<Index> active_;
  std::vector<Index> shift_column_;        // column of a_m in shifts_, −1 when a_m = 0
  Matrix shifts_, shift_images_;           // a_m, K_m a_m
  Vector shift_products_, shift_squares_;  // a_mᵀK_m(ρ + a_m) and ‖a_m‖²_Km
  Vector direction_;
  Vector line_cross_, line_square_;  // n_m²(c) = n_m² + 2c·cross + c²·square
  Vector end_norms_;                 // n_m(1) of those without images
  std::vector<Index> line_active_;
  PointSums point_sums_;
  LineSums line_sums_;
};

}  // namespace spicymkl
