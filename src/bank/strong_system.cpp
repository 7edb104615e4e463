#include "strong_system.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/blas.hpp"
#include "core/conjugate_gradients.hpp"
#include "core/renew.hpp"
#include "core/stoppable_cholesky.hpp"

namespace spicymkl {

namespace {

constexpr Index kEnoughSamples = 500;  // below, the matrix is quick to assemble
// A Newton step leaves a tenth of the distance where it is not near the end, so that digits beyond the second are lost
// on most of them; near the end two digits a step are still quick.
constexpr double kOfDirection = 1e-2;
constexpr double kOfProof = 2 * kOfDirection;  // the same, seen in double precision
// Of conjugate gradients, after which the matrix would have been assembled: N²R operations of a product of matrices
// take about as long as N/200 times 4NR operations that wait for memory.
constexpr Index kSamplesPerStep = 200, kFewestOfSteps = 10, kMostOfSteps = 40;
constexpr double kOutweighs = 1;          // times the rest: a kernel whose mean eigenvalue is larger is strong
constexpr double kLargestPart = 0.6;      // of the samples: so many columns may the strong kernels have
constexpr double kMatricesOfRoom = 0.75;  // for as many columns, their products and copies while they are made
// r²N operations for r strong columns, a product of matrices, take as long as some products with all columns.
constexpr double kWorthProducts = 400;

}  // namespace

bool StrongKernelsSystem::suits(const NewtonTerms& terms) const {
  if (bank_.factors() == nullptr || bank_.n_samples() < kEnoughSamples || terms.kernels.empty()) return false;
  if (terms.nested != nullptr || terms.n_added < terms.low_rank.cols()) return false;  // may not be positive definite
  if (!bank_.has_room_for(kMatricesOfRoom)) return false;
  return std::ranges::all_of(terms.kernels, [&](Index m) { return bank_.rank(m) < bank_.n_samples(); });
}

NewtonTerms StrongKernelsSystem::terms() const {
  return {terms_.kernels, terms_.weights, terms_.diagonal, terms_.added, terms_.added.cols()};
}

const Vector& StrongKernelsSystem::diagonal_of(Index kernel) {
  const auto [place, is_new] = diagonals_.try_emplace(kernel);
  if (is_new) {
    place->second.resize(bank_.n_samples());
    bank_.weighted_diagonal({&kernel, 1}, Vector::Ones(1), place->second);
  }
  return place->second;
}

std::vector<Index> StrongKernelsSystem::split() {
  const Index count = std::ssize(terms_.kernels);
  rest_ = terms_.diagonal;
  for (Index k = 0; k < count; ++k) rest_ += terms_.weights(k) * diagonal_of(terms_.kernels[k]);
  // trace(K/rest)/rank is the mean of the eigenvalues that K has beside the diagonal.
  Vector strength(count);
  double total = 0;
  for (Index k = 0; k < count; ++k) {
    const auto rank = static_cast<double>(std::max<Index>(1, bank_.rank(terms_.kernels[k])));
    strength(k) = terms_.weights(k) * diagonals_[terms_.kernels[k]].cwiseQuotient(rest_).sum() / rank;
    total += rank;
  }
  std::vector<Index> order = all_kernels(count), strong;
  std::ranges::stable_sort(order, std::greater<>(), [&](Index k) { return strength(k); });
  const double most =
      std::min(kLargestPart * static_cast<double>(bank_.n_samples()), std::sqrt(kWorthProducts * total));
  double width = 0;
  for (const Index k : order) {
    width += static_cast<double>(bank_.rank(terms_.kernels[k]));
    if (!(strength(k) > kOutweighs) || width > most) break;
    strong.push_back(k);
    rest_ -= terms_.weights(k) * diagonals_[terms_.kernels[k]];
  }
  // What rounding may have left of it.
  rest_ = rest_.cwiseMax(terms_.diagonal);
  return strong;
}

void StrongKernelsSystem::gather(const std::vector<Index>& strong) {
  const Index n = bank_.n_samples();
  std::vector<Index> first;
  width_ = 0;
  for (const Index k : strong) {
    first.push_back(width_);
    width_ += bank_.rank(terms_.kernels[k]);
  }
  const Index of_added = width_;
  width_ += terms_.added.cols();
  if (columns_.rows() != n || columns_.cols() < width_) renew(columns_, n, width_);
  const double cost = static_cast<double>(n * of_added) / static_cast<double>(std::max<Index>(1, std::ssize(strong)));
  parallel_for(std::ssize(strong), bank_.threads(), cost, [&](Index begin, Index end) {
    Matrix factor;
    for (Index s = begin; s < end; ++s) {
      const Index k = strong[s], width = bank_.rank(terms_.kernels[k]);
      renew(factor, n, width);
      bank_.factors()->weighted_factor({&terms_.kernels[k], 1}, terms_.weights.segment(k, 1), factor);
      for (Index j = 0; j < width; ++j) columns_.col(first[s] + j) = root_.cwiseProduct(factor.col(j)).cast<float>();
    }
  });
  for (Index j = 0; j < terms_.added.cols(); ++j)
    columns_.col(of_added + j) = root_.cwiseProduct(terms_.added.col(j)).cast<float>();
}

bool StrongKernelsSystem::factor(const NewtonTerms& terms) {
  terms_.keep(terms);
  const std::vector<Index> strong = split();
  if (!(rest_.allFinite() && rest_.minCoeff() > 0)) return false;
  root_ = rest_.cwiseSqrt().cwiseInverse();
  gather(strong);
  bank_.watch().check();
  renew(capacity_, width_, width_);
  capacity_.setIdentity();
  blas::symmetric_rank_k(1, columns_.leftCols(width_).transpose(), capacity_, bank_.threads());
  return stoppable_cholesky(capacity_, bank_.threads(), bank_.watch()) && capacity_.diagonal().allFinite();
}

void StrongKernelsSystem::precondition(Matrix& V) const {
  RoughMatrix scaled = (root_.asDiagonal() * V).cast<float>();
  if (width_ > 0) {
    RoughMatrix inner = RoughMatrix::Zero(width_, V.cols());
    blas::add_transposed_product(1.0F, columns_.leftCols(width_), scaled, inner, bank_.threads());
    blas::cholesky_solve(capacity_, inner);
    blas::add_product(-1.0F, columns_.leftCols(width_), inner, scaled, bank_.threads());
  }
  V = root_.asDiagonal() * scaled.cast<double>();
}

bool StrongKernelsSystem::solve(MatrixRef rhs) {
  const auto most = static_cast<int>(std::clamp(bank_.n_samples() / kSamplesPerStep, kFewestOfSteps, kMostOfSteps));
  Matrix solution, image(rhs.rows(), rhs.cols());
  const bool solved = iterate_conjugate_gradients<Matrix>(
      [&](const Matrix& V, Matrix& out) {
        bank_.watch().check();
        bank_.factors()->rough_product(terms_.kernels, terms_.weights, V, out);
        terms_.add_samples_part(V, out);
      },
      [&](Matrix& V) { precondition(V); }, kOfDirection, most, rhs, solution);
  if (!solved) return false;
  terms_.multiply(bank_, solution, image);
  Matrix residual = rhs - image, scaled = residual, scaled_rhs = rhs;
  precondition(scaled);
  precondition(scaled_rhs);
  for (Index j = 0; j < rhs.cols(); ++j)
    if (!(residual.col(j).dot(scaled.col(j)) <= kOfProof * kOfProof * rhs.col(j).dot(scaled_rhs.col(j)))) return false;
  rhs = solution;
  return true;
}

}  // namespace spicymkl
