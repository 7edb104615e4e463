#include "spicymkl/bank/gram_check.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <optional>

#include "core/blas.hpp"
#include "core/random_draws.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr double kAsymmetry = 1e-8;        // relative to the larger diagonal entries
constexpr double kSingleAsymmetry = 1e-5;  // the same in single precision
constexpr double kRounding = 1e-12;        // negative eigenvalues below this part of the largest are not worth a word
constexpr const char* kRemedy =
    "correct it, or have it repaired by clip, flip or shift: --psd of the command, psd= in Python";
constexpr Index kLanczosSteps = 8;

std::optional<std::string> bad_entry(Eigen::Map<const Matrix> K, const GramView& view) {
  for (Index j = 0; j < K.cols(); ++j) {
    if (K.col(j).array().isFinite().all()) continue;
    for (Index i = 0; i < K.rows(); ++i)
      if (!std::isfinite(K(i, j))) {
        // Stored row after row it is the entry (j, i) of the user's matrix.
        const Index row = view.columns_first ? i : j, column = view.columns_first ? j : i;
        return fmt::format("has {} at row {}, column {}; every entry must be a finite number", K(i, j),
                           view.first + row, view.first + column);
      }
  }
  return std::nullopt;
}

std::optional<std::string> asymmetric(Eigen::Map<const Matrix> K, double tolerance, const GramView& view) {
  const double scale = K.diagonal().cwiseAbs().maxCoeff();
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = j + 1; i < K.rows(); ++i)
      if (std::abs(K(i, j) - K(j, i)) > tolerance * std::max(scale, std::abs(K(i, j)))) {
        const double above = view.columns_first ? K(j, i) : K(i, j), below = view.columns_first ? K(i, j) : K(j, i);
        return fmt::format("is not symmetric: entry ({0}, {1}) is {2} but entry ({1}, {0}) is {3}; use (K + {4})/2",
                           view.first + j, view.first + i, above, below, view.transposed);
      }
  return std::nullopt;
}

/// A kernel satisfies K_ii ≥ 0 and K_ij² ≤ K_ii K_jj.
std::optional<std::string> bad_minor(Eigen::Map<const Matrix> K, const GramView& view) {
  const double scale = std::max(K.diagonal().maxCoeff(), 0.0);
  const double slack = kIndefiniteness * std::max(scale, K.cwiseAbs().maxCoeff());
  for (Index j = 0; j < K.cols(); ++j)
    if (K(j, j) < -slack)
      return fmt::format("is not positive semi-definite: its diagonal entry {} is {}; {}", view.first + j, K(j, j),
                         kRemedy);
  // A product of roots, not the root of a product, which under- or overflows for kernels of extreme scale.
  const Vector roots = K.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = j + 1; i < K.rows(); ++i)
      if (std::abs(K(i, j)) > roots(i) * roots(j) + slack) {
        return fmt::format(
            "is not positive semi-definite: |K({0}, {1})| = {2} exceeds sqrt(K({0}, {0}) K({1}, {1})) = {3}; {4}",
            view.first + j, view.first + i, std::abs(K(i, j)), roots(i) * roots(j), kRemedy);
      }
  return std::nullopt;
}

/// Smallest and largest Ritz value after a few Lanczos steps: λmin ≤ lower, upper ≤ λmax.
struct RitzInterval {
  double lower;
  double upper;
};

/// `product`(v, image) computes Kv.
template <class Product>
RitzInterval ritz_interval(Index n, const Product& product) {
  const Index steps = std::min(kLanczosSteps, n);
  RandomDraws draws(20101);
  Matrix basis(n, steps);
  Matrix projected = Matrix::Zero(steps, steps);
  Vector q = Vector::NullaryExpr(n, [&] { return draws.normal(); });
  Vector image(n);
  Index size = 0;
  while (size < steps && q.norm() > 0) {
    basis.col(size) = q / q.norm();
    product(basis.col(size), image);
    ++size;
    projected.col(size - 1).head(size) = basis.leftCols(size).transpose() * image;
    projected.row(size - 1).head(size) = projected.col(size - 1).head(size).transpose();
    q = image;
    for (int pass = 0; pass < 2; ++pass) q -= basis.leftCols(size) * (basis.leftCols(size).transpose() * q);
    if (q.norm() <= 1e-12 * image.norm()) break;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> ritz(projected.topLeftCorner(size, size), Eigen::EigenvaluesOnly);
  return {ritz.eigenvalues()(0), ritz.eigenvalues()(size - 1)};
}

std::string indefinite(const RitzInterval& ritz) {
  if (ritz.lower >= -kIndefiniteness * std::max(ritz.upper, 0.0)) return "";
  return fmt::format("is not positive semi-definite: it has an eigenvalue of {:.3g} or less (largest about {:.3g}); {}",
                     ritz.lower, ritz.upper, kRemedy);
}

double relative_lower(const RitzInterval& ritz) { return ritz.upper > 0 ? ritz.lower / ritz.upper : 0; }

std::vector<TinyNegative> tiny_negatives(const Vector& relative) {
  std::vector<TinyNegative> tolerated;
  for (Index m = 0; m < relative.size(); ++m)
    if (relative(m) < -kRounding) tolerated.push_back({m, relative(m)});
  return tolerated;
}

InputError fault_of(const KernelBank& bank, Index m, const std::string& fault, const GramView& view = {}) {
  const std::string title = view.title ? view.title(m) : fmt::format("kernel '{}' (number {})", bank.name(m), m);
  return InputError(fmt::format("{} {}", title, fault));
}

/// Runs `examine` on every kernel; it returns what is wrong with the kernel, or "".
template <class Examine>
void examine_all(const KernelBank& bank, const GramView& view, const Examine& examine) {
  const Index M = bank.n_kernels();
  std::vector<std::string> faults(M);
  const double cost = 10 * static_cast<double>(bank.n_samples() * bank.n_samples());
  parallel_for(M, bank.threads(), cost, [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) faults[m] = examine(m);
  });
  for (Index m = 0; m < M; ++m)
    if (!faults[m].empty()) throw fault_of(bank, m, faults[m], view);
}

std::string bad_numbers(Eigen::Map<const Matrix> K, double asymmetry, const GramView& view) {
  if (auto fault = bad_entry(K, view)) return *fault;
  return asymmetric(K, asymmetry, view).value_or("");
}

/// gram(m) is something that holds matrix m and can be read as a Map.
template <class Gram>
std::vector<TinyNegative> check_each(const KernelBank& bank, double asymmetry, const GramView& view, const Gram& gram) {
  Vector relative = Vector::Zero(bank.n_kernels());
  examine_all(bank, view, [&](Index m) -> std::string {
    const auto held = gram(m);
    const Eigen::Map<const Matrix> K(held.data(), bank.n_samples(), bank.n_samples());
    if (std::string fault = bad_numbers(K, asymmetry, view); !fault.empty()) return fault;
    if (auto fault = bad_minor(K, view)) return *fault;
    const RitzInterval ritz = ritz_interval(K.rows(), [&](ConstVectorRef v, Vector& image) {
      blas::symmetric_product(K.rows(), K.data(), v.data(), image.data());
    });
    relative(m) = relative_lower(ritz);
    return indefinite(ritz);
  });
  return tiny_negatives(relative);
}

}  // namespace

void check_entries(const DenseBank& bank, const GramView& view) {
  examine_all(bank, view, [&](Index m) { return bad_numbers(bank.gram(m), kAsymmetry, view); });
}

std::vector<TinyNegative> check_gram_matrices(const DenseBank& bank, const GramView& view) {
  return check_each(bank, kAsymmetry, view, [&](Index m) { return bank.gram(m); });
}

std::vector<TinyNegative> check_gram_matrices(const SingleBank& bank) {
  return check_each(bank, kSingleAsymmetry, {}, [&](Index m) { return Matrix(bank.gram(m).cast<double>()); });
}

std::vector<TinyNegative> check_gram_matrices(const KernelBank& bank, bool single,
                                              const std::vector<GramFindings>& findings) {
  Vector relative = Vector::Zero(bank.n_kernels()), diagonal(bank.n_samples());
  for (Index m = 0; m < bank.n_kernels(); ++m) {
    bank.watch().check();
    const GramFindings& found = findings[m];
    if (!std::isfinite(found.largest))
      throw fault_of(bank, m,
                     fmt::format("has {} among its entries; every entry must be a finite number", found.largest));
    const KernelSet alone(&m, 1);
    bank.weighted_diagonal(alone, Vector::Ones(1), diagonal);
    if (found.asymmetry > (single ? kSingleAsymmetry : kAsymmetry) * diagonal.cwiseAbs().maxCoeff())
      throw fault_of(bank, m,
                     fmt::format("is not symmetric: two entries that should be equal differ by {:.3g}; use (K + K^T)/2",
                                 found.asymmetry));
    const double slack = kIndefiniteness * found.largest;
    if (found.negative_diagonal > slack || found.excess > slack)
      throw fault_of(bank, m,
                     fmt::format("is not positive semi-definite: {}; correct it",
                                 found.negative_diagonal > slack
                                     ? fmt::format("a diagonal entry is {:.3g}", -found.negative_diagonal)
                                     : fmt::format("|K(i, j)| exceeds sqrt(K(i, i) K(j, j)) by {:.3g}", found.excess)));
    const RitzInterval ritz =
        ritz_interval(bank.n_samples(), [&](ConstVectorRef v, Vector& image) { bank.products(alone, v, image); });
    relative(m) = relative_lower(ritz);
    if (const std::string fault = indefinite(ritz); !fault.empty()) throw fault_of(bank, m, fault);
  }
  return tiny_negatives(relative);
}

}  // namespace spicymkl
