#include "kernel_terms.hpp"
#include "core/renew.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

namespace {

constexpr double kCancelled = 1e-12;  // part of trace(K)‖w‖² below which wᵀKw is little more than rounding

}  // namespace

KernelTerms::KernelTerms(const KernelBank& bank, const Regularizer& regularizer, std::vector<Index> candidates)
    : bank_(bank),
      potential_{&regularizer, 1.0},
      rho_(bank.n_samples()),
      images_(bank, std::move(candidates)),
      norms_(images_.n_candidates()),
      slopes_(norms_.size()),
      point_squares_(Vector::Zero(norms_.size())),
      shift_column_(norms_.size(), -1),
      shift_products_(Vector::Zero(norms_.size())),
      shift_squares_(Vector::Zero(norms_.size())),
      direction_(bank.n_samples()),
      line_cross_(norms_.size()),
      line_square_(norms_.size()),
      end_norms_(norms_.size()) {
  active_.reserve(norms_.size());
  line_active_.reserve(norms_.size());
}

void KernelTerms::place(ConstVectorRef rho, double gamma) {
  rho_ = rho;
  potential_.gamma = gamma;
  std::vector<Index> needed = all_kernels(norms_.size());
  if (images_.selective()) {
    Vector squares(norms_.size());
    bank_.quadratic_forms(images_.kernels(needed), rho_, squares);
    norms_ = squares.cwiseSqrt();
    std::erase_if(needed, [&](Index k) { return !shifted(k) && !is_active_at(norms_(k)); });
  }
  images_.place(needed, rho_);
  refresh_norms();
}

void KernelTerms::scale_point(double c) {
  rho_ *= c;
  images_.scale(c);
  norms_ *= c;
  refresh_norms();
}

void KernelTerms::set_coefficients(KernelSet set, const Matrix& coef, double gamma) {
  std::fill(shift_column_.begin(), shift_column_.end(), Index{-1});
  renew(shifts_, coef.rows(), coef.cols());
  renew(shift_images_, coef.rows(), coef.cols());
  for_each_of(coef.cols(), [&](Index k) {
    shifts_.col(k) = coef.col(k) / gamma;
    shift_images_.col(k).setZero();  // by several threads: memory that is new is slow to get
  });
  for (Index k = 0; k < coef.cols(); ++k) {
    Index position = 0;
    while (kernel(position) != set[k]) ++position;
    shift_column_[position] = k;
    bank_.products(set.subspan(k, 1), shifts_.col(k), shift_images_.middleCols(k, 1));
  }
}

void KernelTerms::scaled_point(Index k, double factor, Index first, VectorRef out) const {
  const auto rho = rho_.segment(first, out.size());
  if (shifted(k)) out = factor * (rho + shifts_.col(shift_column_[k]).segment(first, out.size()));
  else out = factor * rho;
}

void KernelTerms::scaled_image(Index k, double factor, Index first, VectorRef out) const {
  const auto image = images_.of_point(k).segment(first, out.size());
  if (shifted(k)) out = factor * (image + shift_images_.col(shift_column_[k]).segment(first, out.size()));
  else out = factor * image;
}

KernelTerms::PointSums::Sums KernelTerms::sums_at_point(Index k, Index first, Index count) const {
  const auto rho = rho_.segment(first, count);
  const auto image = images_.of_point(k).segment(first, count);
  const double square = rho.dot(image);
  if (!shifted(k)) return {square, rho.squaredNorm(), square, 0, 0};
  const auto shift = shifts_.col(shift_column_[k]).segment(first, count);
  const auto shift_image = shift_images_.col(shift_column_[k]).segment(first, count);
  return {(rho + shift).dot(image + shift_image), (rho + shift).squaredNorm(), square, shift.dot(image + shift_image),
          shift.dot(shift_image)};
}

/// wᵀKw from a sum of terms, w = ρ + a. Where these cancel, ‖Kw‖²/trace(K), which never exceeds it, has more digits.
double KernelTerms::square_of(Index k, double sum, double squared_length) const {
  const double trace = bank_.trace(kernel(k));
  if (sum > kCancelled * trace * squared_length || trace <= 0) return std::max(sum, 0.0);
  Vector image(rho_.size());
  scaled_image(k, 1, 0, image);
  return std::max(sum, image.squaredNorm() / trace);
}

void KernelTerms::refresh_norms() {
  const std::vector<Index>& held = images_.held();
  point_sums_.sum(std::ssize(held), rho_.size(), bank_.threads(),
                  [&](Index h, Index first, Index count) { return sums_at_point(held[h], first, count); });
  for (Index h = 0; h < std::ssize(held); ++h) {
    const Index k = held[h];
    const PointSums::Sums sums = point_sums_.of(h);
    norms_(k) = std::sqrt(square_of(k, sums(0), sums(1)));
    point_squares_(k) = sums(2), shift_products_(k) = sums(3), shift_squares_(k) = sums(4);
  }
  active_.clear();
  for (Index k = 0; k < norms_.size(); ++k) {
    slopes_(k) = images_.holds(k) && norms_(k) > 0 ? potential_.slope(norms_(k)) : 0;
    if (slopes_(k) > 0) active_.push_back(k);
  }
}

double KernelTerms::value() const {
  double sum = 0;
  for (const Index k : active_) sum += potential_.value(norms_(k));
  return sum;
}

void KernelTerms::add_gradient(VectorRef gradient) const {
  for_rows(static_cast<double>(n_active()), [&](Index first, Index count) {
    for (const Index k : active_) {  // Eq. (26): θ′(n_m) u_m, with u_m = K_m(ρ + a_m)/n_m
      const double factor = slopes_(k) / norms_(k);
      auto rows = gradient.segment(first, count);
      rows += factor * images_.of_point(k).segment(first, count);
      if (shifted(k)) rows += factor * shift_images_.col(shift_column_[k]).segment(first, count);
    }
  });
}

void KernelTerms::hessian(Hessian& out, ConstMatrixRef columns) const {
  const Index n_active_kernels = n_active();
  out.kernels.clear();
  out.n_columns = columns.cols() + n_active_kernels;
  if (out.all_weights.size() < n_active_kernels) out.all_weights.resize(norms_.size());
  if (out.all_columns.cols() < out.n_columns || out.all_columns.rows() != bank_.n_samples())
    renew(out.all_columns, bank_.n_samples(), 2 * out.n_columns);
  Index first = columns.cols(), last = out.n_columns;
  out.all_columns.leftCols(first) = columns;
  out.places.resize(active_.size());
  out.scales.resize(active_.size());
  for (Index position = 0; position < n_active_kernels; ++position) {
    const Index k = active_[position];
    const double n = norms_(k);
    const double radial = slopes_(k) / n;                         // θ′/n, the factor of K_m in Eq. (27)
    const double coefficient = potential_.curvature(n) - radial;  // θ″ − θ′/n, the factor of u_m u_mᵀ
    out.kernels.push_back(kernel(k));
    out.all_weights(position) = radial;
    out.places[position] = coefficient >= 0 ? first++ : --last;  // √|θ″ − θ′/n| u_m, added or subtracted
    out.scales[position] = std::sqrt(std::abs(coefficient)) / n;
  }
  out.n_added = first;
  for_rows(static_cast<double>(n_active_kernels), [&](Index from, Index count) {
    for (Index position = 0; position < n_active_kernels; ++position)
      scaled_image(active_[position], out.scales[position], from,
                   out.all_columns.col(out.places[position]).segment(from, count));
  });
}

KernelTerms::LineSums::Sums KernelTerms::sums_along_line(Index k, Index first, Index count) const {
  const auto rho = rho_.segment(first, count), direction = direction_.segment(first, count);
  const auto image = images_.of_direction(k).segment(first, count);
  if (!shifted(k)) return {direction.dot(image), rho.dot(image)};
  return {direction.dot(image), (rho + shifts_.col(shift_column_[k]).segment(first, count)).dot(image)};
}

void KernelTerms::prepare_line(ConstVectorRef direction) {
  direction_ = direction;
  images_.prepare_line(direction_);
  if (images_.selective()) look_ahead();
  const std::vector<Index>& held = images_.held();
  line_sums_.sum(std::ssize(held), rho_.size(), bank_.threads(),
                 [&](Index h, Index first, Index count) { return sums_along_line(held[h], first, count); });
  for (Index h = 0; h < std::ssize(held); ++h) {
    line_square_(held[h]) = std::max(line_sums_.of(h)(0), 0.0);
    line_cross_(held[h]) = line_sums_.of(h)(1);
  }
  // n_m(c) is convex: a kernel inactive at both ends stays inactive between them (Section 3.5.1).
  line_active_.clear();
  for (Index k = 0; k < norms_.size(); ++k) {
    if (!images_.holds(k)) continue;
    const double end_square = norms_(k) * norms_(k) + 2 * line_cross_(k) + line_square_(k);
    const double largest = std::max(norms_(k), std::sqrt(std::max(end_square, 0.0)));
    if (is_active_at(largest)) line_active_.push_back(k);
  }
}

void KernelTerms::look_ahead() {
  const std::vector<Index> watched = images_.others();
  if (watched.empty()) return;
  Vector squares(std::ssize(watched));
  bank_.quadratic_forms(images_.kernels(watched), rho_ + direction_, squares);
  std::vector<Index> joining;
  for (Index w = 0; w < squares.size(); ++w) {
    end_norms_(watched[w]) = std::sqrt(squares(w));
    if (is_active_at(end_norms_(watched[w]))) joining.push_back(watched[w]);
  }
  if (!joining.empty()) images_.join(joining, rho_, direction_);
}

SlopedValue KernelTerms::along(double c) const {
  SlopedValue sum;
  for (const Index k : line_active_) {
    const double square = norms_(k) * norms_(k) + c * (2 * line_cross_(k) + c * line_square_(k));
    const double n = std::sqrt(std::max(square, 0.0));
    if (n == 0) continue;
    sum.value += potential_.value(n);
    sum.slope += potential_.slope(n) * (line_cross_(k) + c * line_square_(k)) / n;
  }
  return sum;
}

void KernelTerms::move(double c) {
  rho_ += c * direction_;
  images_.move(c);
  for (Index k = 0; k < norms_.size();
       ++k)  // a norm is convex: of those without an image this is the largest it may be
    if (!images_.holds(k)) norms_(k) += c * (end_norms_(k) - norms_(k));
  refresh_norms();
  if (!images_.selective()) return;
  for (Index k = 0; k < norms_.size(); ++k)
    if (images_.holds(k) && !shifted(k) && slopes_(k) == 0) images_.release(k);
}

Vector KernelTerms::next_predictions() const {
  Vector z = Vector::Zero(bank_.n_samples());
  add_gradient(z);  // Σ x_m u_m = Σ K_m α_m⁺
  return z;
}

Vector KernelTerms::next_norms() const {
  Vector x(n_active());
  for (Index position = 0; position < x.size(); ++position) x(position) = slopes_(active_[position]);
  return x;
}

Vector KernelTerms::next_factors() const {
  Vector factors = next_norms();
  for (Index position = 0; position < factors.size(); ++position) factors(position) /= norms_(active_[position]);
  return factors;
}

std::vector<Index> KernelTerms::active_kernels() const {
  std::vector<Index> kernels;
  for (const Index k : active_) kernels.push_back(kernel(k));
  return kernels;
}

Vector KernelTerms::dual_norms() const {
  Vector norms = norms_;
  for (const Index k : images_.held()) norms(k) = std::sqrt(std::max(point_squares_(k), 0.0));
  return norms;
}

double KernelTerms::movement() const {
  // With w = ρ + a and n = ‖w‖: α⁺ = (x/n)w and α = γa.
  const double gamma = potential_.gamma;
  double sum = 0;
  for (Index k = 0; k < norms_.size(); ++k) {
    const double x = slopes_(k);
    const double along_point = shifted(k) && norms_(k) > 0 ? x / norms_(k) * shift_products_(k) : 0;
    sum += shifted(k) ? std::max(x * x - 2 * gamma * along_point + gamma * gamma * shift_squares_(k), 0.0) : x * x;
  }
  return sum / (2 * gamma);
}

void KernelTerms::update_coefficients() {
  Matrix shifts(bank_.n_samples(), n_active()), shift_images(bank_.n_samples(), n_active());
  for_rows(2 * static_cast<double>(n_active()), [&](Index first, Index count) {
    for (Index position = 0; position < n_active(); ++position) {
      const Index k = active_[position];
      const double factor = slopes_(k) / (norms_(k) * potential_.gamma);
      scaled_point(k, factor, first, shifts.col(position).segment(first, count));
      scaled_image(k, factor, first, shift_images.col(position).segment(first, count));
    }
  });
  std::fill(shift_column_.begin(), shift_column_.end(), Index{-1});
  for (Index position = 0; position < n_active(); ++position) shift_column_[active_[position]] = position;
  shifts_ = std::move(shifts);
  shift_images_ = std::move(shift_images);
  refresh_norms();
}

void KernelTerms::set_gamma(double gamma) {
  const double factor = potential_.gamma / gamma;
  for_each_of(shifts_.cols(), [&](Index k) {
    shifts_.col(k) *= factor;
    shift_images_.col(k) *= factor;
  });
  potential_.gamma = gamma;
  refresh_norms();
}

std::vector<Index> KernelTerms::coefficient_kernels() const {
  std::vector<Index> kernels(shifts_.cols());
  for (Index k = 0; k < norms_.size(); ++k)
    if (shifted(k)) kernels[shift_column_[k]] = kernel(k);
  return kernels;
}

Matrix KernelTerms::coefficients() const {
  Matrix coef(shifts_.rows(), shifts_.cols());
  for_each_of(coef.cols(), [&](Index k) { coef.col(k) = shifts_.col(k) * potential_.gamma; });
  return coef;
}

Vector KernelTerms::coefficient_predictions() const {
  Vector z = Vector::Zero(bank_.n_samples());
  for_rows(static_cast<double>(shift_images_.cols()), [&](Index first, Index count) {
    for (Index k = 0; k < shift_images_.cols(); ++k)
      z.segment(first, count) += potential_.gamma * shift_images_.col(k).segment(first, count);
  });
  return z;
}

Vector KernelTerms::coefficient_norms() const {
  Vector norms(shifts_.cols());
  for_each_of(norms.size(), [&](Index k) {
    norms(k) = potential_.gamma * std::sqrt(std::max(shifts_.col(k).dot(shift_images_.col(k)), 0.0));
  });
  return norms;
}

}  // namespace spicymkl
