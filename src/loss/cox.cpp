// Cox's partial likelihood, Breslow's way with ties: L(f) = Σ over events i of s_i[log Σ_{j at risk} exp g_j − g_i],
// with g = f + log s. It does not split over the samples, but its conjugate has a closed form. Let τ_e be the times
// with events, D_e the weight of the events at τ_e, m = sδ − ρ, and B_e the sum of ρ over the samples that left before
// τ_e. For ρ = −∇L(f), m_j = exp g_j·H_j with the cumulative hazard H, and 1 − (D_e/S_e)/H_e = B_e/(B_e + D_e), so that
// f can be read off ρ, and
//   L*(−ρ) = Σ ρ_j log s_j + Σ m_j log m_j + Σ_e [B_e log B_e − (B_e + D_e) log(B_e + D_e)],
// convex in m and in B, on m ≥ 0, B ≥ 0 and 1ᵀρ = 0 (docs/mathematics.md, "Survival").
#include <cmath>

#include <algorithm>
#include <numeric>

#include "core/compensated_sum.hpp"
#include "inseparable.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

double entropy(double p) { return p > 0 ? p * std::log(p) : 0; }

/// log(exp a + exp b)
double add_logarithms(double a, double b) {
  const double larger = std::max(a, b);
  return std::isinf(larger) ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

class JointCox final : public JointLoss {
 public:
  JointCox(ConstVectorRef ranks, ConstVectorRef weights)
      : n_(ranks.size()), log_s_(weights.array().log()), event_(n_), order_(n_), reached_(n_) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::ranges::stable_sort(order_, {}, [&](Index j) { return std::abs(ranks(j)); });
    for (Index first = 0; first < n_;) {
      const double time = std::abs(ranks(order_[first]));
      Index end = first;
      double mass = 0;
      for (; end < n_ && std::abs(ranks(order_[end])) == time; ++end) {
        event_(order_[end]) = ranks(order_[end]) > 0 ? weights(order_[end]) : 0;
        mass += event_(order_[end]);
      }
      if (mass > 0) {
        mass_.push_back(mass);
        first_at_risk_.push_back(first);
      }
      for (; first < end; ++first) reached_[order_[first]] = std::ssize(mass_);
    }
    if (mass_.empty()) throw InputError("no sample has an event, but the cox loss learns from events");
    total_ = std::accumulate(mass_.begin(), mass_.end(), 0.0);
  }

  double value(ConstVectorRef z) const override {
    const Vector g = z + log_s_, log_S = log_risk_sums(g);
    CompensatedSum sum;
    for (Index e = 0; e < n_times(); ++e) sum += mass_[e] * log_S(e);
    for (Index j = 0; j < n_; ++j) sum += -event_(j) * g(j);
    return std::max(sum.value(), 0.0);  // never negative but by rounding: who has an event is at risk
  }

  double largest_value(ConstVectorRef z, ConstVectorRef reach) const override {
    return value(z) + 2 * total_ * reach.maxCoeff();
  }

  Vector dual_point(ConstVectorRef z) const override { return event_ - expected_events(z + log_s_); }

  Matrix curvature_product(ConstVectorRef z, ConstMatrixRef V) const override {
    const Vector g = z + log_s_, log_S = log_risk_sums(g), m = expected_events(g);
    Matrix out = m.asDiagonal() * V;
    for (Index column = 0; column < V.cols(); ++column) {
      Vector mean(n_times());  // of V over those at risk
      double sum = 0;
      Index j = n_;
      for (Index e = n_times(); e-- > 0;) {
        sum *= e + 1 < n_times() ? std::exp(log_S(e + 1) - log_S(e)) : 1;
        for (; j > first_at_risk_[e]; --j) sum += std::exp(g(order_[j - 1]) - log_S(e)) * V(order_[j - 1], column);
        mean(e) = sum;
      }
      // Σ_{e reached} D_e/S_e·mean_e, times exp g_j: in logarithms it would need signs, so the largest term leads.
      double cumulated = 0, scale = -std::numeric_limits<double>::infinity();
      for (Index e = 0, k = 0; e <= n_times(); ++e) {
        const Index end = e < n_times() ? first_at_risk_[e] : n_;
        for (; k < end; ++k)
          if (e > 0) out(order_[k], column) -= std::exp(g(order_[k]) + scale) * cumulated;
        if (e == n_times()) break;
        const double next = std::max(scale, -log_S(e));
        cumulated = cumulated * std::exp(scale - next) + mass_[e] * mean(e) * std::exp(-log_S(e) - next);
        scale = next;
      }
    }
    return out;
  }

  double conjugate(ConstVectorRef rho) const override {
    CompensatedSum sum;
    for (Index j = 0; j < n_; ++j) {
      if (reached_[j] == 0) continue;
      const double m = event_(j) - rho(j);
      if (m < -kOutside * total_) return std::numeric_limits<double>::infinity();
      sum += rho(j) * log_s_(j);
      sum += entropy(m);
    }
    const Vector B = left_before(rho);
    for (Index e = 0; e < n_times(); ++e) {
      if (B(e) < -kOutside * total_) return std::numeric_limits<double>::infinity();
      const double left = std::max(B(e), 0.0);
      sum += entropy(left);
      sum += -entropy(left + mass_[e]);
    }
    return sum.value();
  }

  Vector answering(ConstVectorRef rho) const override {
    const Vector B = left_before(rho);
    Vector log_H(n_times());  // up to a constant, which L ignores
    log_H(n_times() - 1) = 0;
    for (Index e = n_times(); e-- > 1;) {
      const double left = std::max(B(e), kLeast * total_);
      log_H(e - 1) = log_H(e) + std::log(left / (left + mass_[e]));
    }
    Vector z(n_);
    for (Index j = 0; j < n_; ++j)
      z(j) = reached_[j] == 0
                 ? 0
                 : std::log(std::max(event_(j) - rho(j), kLeast * total_)) - log_H(reached_[j] - 1) - log_s_(j);
    return z;
  }

  Curvature conjugate_curvature(ConstVectorRef rho) const override {
    Curvature curvature{Vector(n_), {{order_.begin() + first_at_risk_[0], order_.end()}, {}, Vector(n_times() - 1)}};
    for (Index j = 0; j < n_; ++j) curvature.diagonal(j) = 1 / std::max(event_(j) - rho(j), kFlat * total_);
    const Vector B = left_before(rho);
    for (Index e = 1; e < n_times(); ++e) {
      const double left = std::max(B(e), kFlat * total_);
      curvature.nested.sizes.push_back(first_at_risk_[e] - first_at_risk_[0]);
      curvature.nested.weights(e - 1) = mass_[e] / (left * (left + mass_[e]));  // 1/B − 1/(B + D)
    }
    return curvature;
  }

  double room(ConstVectorRef rho, ConstVectorRef direction) const override {
    double step = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < n_; ++j)
      if (direction(j) > 0 && reached_[j] > 0) step = std::min(step, std::max(event_(j) - rho(j), 0.0) / direction(j));
    const Vector B = left_before(rho), change = left_before(direction);
    for (Index e = 1; e < n_times(); ++e)
      if (change(e) < 0) step = std::min(step, std::max(B(e), 0.0) / -change(e));
    return step;
  }

  /// With p_i the softmax of g on those at risk at the event i, −s∇L = Σ s_i(e_i − q_i) for q_i = s·p_i + (1 − s)·e_i,
  /// and the conjugate of a sum is at most the sum of the conjugates: Σ sρ_j log s_j + Σ s_i Σ_j q_ij log q_ij.
  std::optional<double> conjugate_bound(ConstVectorRef z, double s) const override {
    if (s == 0) return 0;
    const Vector g = z + log_s_, log_S = log_risk_sums(g);
    CompensatedSum sum;
    sum += s * dual_point(z).dot(log_s_);
    double mean = 0;  // of log p_ij over those at risk
    Index j = n_;
    for (Index e = n_times(); e-- > 0;) {
      if (e + 1 < n_times()) {
        const double rise = log_S(e + 1) - log_S(e);
        mean = std::exp(rise) * (mean + rise);
      }
      for (; j > first_at_risk_[e]; --j) mean += entropy(std::exp(g(order_[j - 1]) - log_S(e)));
      sum += mass_[e] * s * (std::log(s) + mean);
    }
    for (Index i = 0; i < n_; ++i) {
      if (event_(i) == 0) continue;
      const double own = s * std::exp(g(i) - log_S(reached_[i] - 1));
      sum += event_(i) * (entropy(own + 1 - s) - entropy(own));
    }
    return sum.value();
  }

  double conjugate_convexity() const override { return 1 / total_; }  // 1/m, and no m exceeds all events
  bool ignores_constants() const override { return true; }
  /// Those who left before the first event.
  std::vector<Index> ignored_entries() const override {
    return {order_.begin(), order_.begin() + first_at_risk_.front()};
  }

 private:
  static constexpr double kLeast = 1e-280;   // parts of all events below which m and B count as this
  static constexpr double kFlat = 1e-13;     // the same for curvatures, which must have room for others beside them
  static constexpr double kOutside = 1e-13;  // by which rounding may take them below 0

  Index n_times() const { return std::ssize(mass_); }

  /// log Σ_{at risk at τ_e} exp g_j
  Vector log_risk_sums(const Vector& g) const {
    Vector log_S(n_times());
    double log_sum = -std::numeric_limits<double>::infinity();
    Index j = n_;
    for (Index e = n_times(); e-- > 0;) {
      for (; j > first_at_risk_[e]; --j) log_sum = add_logarithms(log_sum, g(order_[j - 1]));
      log_S(e) = log_sum;
    }
    return log_S;
  }

  /// m_j = exp g_j·H_j
  Vector expected_events(const Vector& g) const {
    const Vector log_S = log_risk_sums(g);
    Vector log_H(n_times());
    double log_sum = -std::numeric_limits<double>::infinity();
    for (Index e = 0; e < n_times(); ++e) log_H(e) = log_sum = add_logarithms(log_sum, std::log(mass_[e]) - log_S(e));
    Vector m(n_);
    for (Index j = 0; j < n_; ++j) m(j) = reached_[j] == 0 ? 0 : std::exp(g(j) + log_H(reached_[j] - 1));
    return m;
  }

  /// B_e
  Vector left_before(ConstVectorRef rho) const {
    Vector B(n_times());
    CompensatedSum sum;
    for (Index e = 0, k = 0; e < n_times(); ++e) {
      for (; k < first_at_risk_[e]; ++k)
        if (reached_[order_[k]] > 0) sum += rho(order_[k]);
      B(e) = sum.value();
    }
    return B;
  }

  Index n_;
  Vector log_s_;
  Vector event_;                      // sδ
  std::vector<Index> order_;          // by time
  std::vector<Index> reached_;        // of each sample, how many times with events its own time has seen
  std::vector<double> mass_;          // D_e
  std::vector<Index> first_at_risk_;  // at τ_e, in the order
  double total_ = 0;                  // Σ D_e
};

class CoxLoss final : public InseparableLoss {
 public:
  std::string_view name() const override { return "cox"; }
  LabelKind labels() const override { return LabelKind::survival; }
  bool predicts_labels() const override { return false; }
  std::unique_ptr<const JointLoss> join(ConstVectorRef labels, ConstVectorRef weights, Index) const override {
    return std::make_unique<JointCox>(labels, weights);
  }
};

}  // namespace

LossType cox_loss() {
  return {.name = "cox",
          .labels = LabelKind::survival,
          .description = "Cox's partial likelihood of survival times; scores are log-risks",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<CoxLoss>(); }};
}

}  // namespace spicymkl
