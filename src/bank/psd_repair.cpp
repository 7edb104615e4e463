#include "spicymkl/bank/psd_repair.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/blas.hpp"
#include "core/closest.hpp"
#include "spicymkl/bank/gram_check.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr std::array kMethods{std::pair{PsdMethod::refuse, "refuse"}, std::pair{PsdMethod::clip, "clip"},
                              std::pair{PsdMethod::flip, "flip"}, std::pair{PsdMethod::shift, "shift"}};

/// λmin ≥ −kIndefiniteness·λmax, proved by a Cholesky factorisation of K + kIndefiniteness·(a lower bound of λmax)·I.
bool nearly_semidefinite(Eigen::Map<const Matrix> K) {
  const double lower_bound = K.trace() / static_cast<double>(K.rows());  // the mean eigenvalue
  if (!(lower_bound > 0)) return K.isZero(0);
  Matrix shifted = K;
  shifted.diagonal().array() += kIndefiniteness * lower_bound;
  return blas::cholesky(shifted, 1);
}

std::optional<PsdRepair> repair(Eigen::Map<const Matrix> K, PsdMethod method) {
  if (nearly_semidefinite(K)) return std::nullopt;
  Matrix vectors = K;
  const Vector eigenvalues = blas::eigen_decompose(vectors);
  PsdRepair result;
  result.smallest = eigenvalues(0);
  result.largest = eigenvalues(eigenvalues.size() - 1);
  result.gram = K;
  if (method == PsdMethod::shift) {
    result.gram.diagonal().array() -= std::min(result.smallest, 0.0);
    result.negative_vectors.resize(K.rows(), 0);
    return result;
  }
  const Index n_negative = (eigenvalues.array() < 0).count();
  result.factor = method == PsdMethod::clip ? 1 : 2;
  result.negative_vectors = vectors.leftCols(n_negative);
  const Matrix roots = result.negative_vectors * (-eigenvalues.head(n_negative)).cwiseSqrt().asDiagonal();
  blas::symmetric_rank_k(result.factor, roots, result.gram, 1);
  result.gram.triangularView<Eigen::StrictlyUpper>() = result.gram.transpose();
  return result;
}

}  // namespace

PsdMethod parse_psd_method(const std::string& name) {
  for (const auto& [method, known] : kMethods)
    if (name == known) return method;
  throw InputError(fmt::format("psd is '{}'{}, but it must be refuse, clip, flip or shift", name,
                               did_you_mean(name, {"refuse", "clip", "flip", "shift"})));
}

std::string to_string(PsdMethod method) {
  for (const auto& [known, name] : kMethods)
    if (known == method) return name;
  return "";
}

Vector PsdRepair::carry(ConstVectorRef v) const {
  if (negative_vectors.cols() == 0) return v;
  return v - factor * (negative_vectors * (negative_vectors.transpose() * v));
}

std::vector<PsdRepair> repair_gram_matrices(const DenseBank& bank, PsdMethod method) {
  std::vector<PsdRepair> repairs;
  if (method == PsdMethod::refuse) return repairs;
  std::vector<std::optional<PsdRepair>> found(bank.n_kernels());
  const auto n = static_cast<double>(bank.n_samples());
  parallel_for(bank.n_kernels(), bank.threads(), n * n * n, [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) found[m] = repair(bank.gram(m), method);
  });
  for (std::size_t m = 0; m < found.size(); ++m) {
    if (!found[m]) continue;
    found[m]->kernel = static_cast<Index>(m);
    repairs.push_back(std::move(*found[m]));
  }
  return repairs;
}

RepairedBank repaired(std::shared_ptr<const DenseBank> bank, PsdMethod method) {
  if (method == PsdMethod::refuse) return {std::move(bank), nullptr};
  const auto repairs = std::make_shared<const std::vector<PsdRepair>>(repair_gram_matrices(*bank, method));
  std::vector<const double*> grams;
  std::vector<std::string> names;
  for (Index m = 0; m < bank->n_kernels(); ++m) {
    grams.push_back(bank->gram(m).data());
    names.push_back(bank->name(m));
  }
  for (const PsdRepair& repair : *repairs) grams[repair.kernel] = repair.gram.data();
  using Owners = std::pair<std::shared_ptr<const DenseBank>, std::shared_ptr<const std::vector<PsdRepair>>>;
  return {std::make_shared<DenseBank>(std::move(grams), bank->n_samples(), std::move(names), bank->threads(),
                                      std::make_shared<Owners>(bank, repairs), bank->watch()),
          repairs};
}

}  // namespace spicymkl
