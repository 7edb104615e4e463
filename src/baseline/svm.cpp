#include "svm.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace spicymkl {

namespace {

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

/// LIBSVM prints to standard output by default, for the whole process.
void silence() {
  static std::once_flag done;
  std::call_once(done, [] { svm_set_print_string_function([](const char*) {}); });
}

constexpr double kMegabyte = 0x1p20;

}  // namespace

Svm::Svm(const Vector& labels, double tolerance) : labels_(labels), tolerance_(tolerance) {
  silence();
  const Index n = labels.size();
  nodes_.resize(n * (n + 2));
  for (Index i = 0; i < n; ++i) {
    svm_node* row = nodes_.data() + i * (n + 2);
    for (Index j = 0; j <= n; ++j) row[j].index = static_cast<int>(j);
    row[0].value = static_cast<double>(i + 1);
    row[n + 1].index = -1;
    rows_.push_back(row);
  }
}

Svm::~Svm() = default;

// In tiles, so that the rows written to stay in the cache.
void Svm::copy(const Matrix& kernel, double box) {
  constexpr Index kTile = 32;
  const Index n = kernel.rows();
  for (Index left = 0; left < n; left += kTile)
    for (Index top = left; top < n; top += kTile)
      for (Index j = left; j < std::min(left + kTile, n); ++j)
        for (Index i = std::max(top, j); i < std::min(top + kTile, n); ++i) {
          const double value = box * kernel(i, j);
          rows_[i][j + 1].value = value;
          rows_[j][i + 1].value = value;
        }
}

Vector Svm::solve(const Matrix& kernel, double box) {
  copy(kernel, box);
  const svm_problem problem{static_cast<int>(labels_.size()), labels_.data(), rows_.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.C = 1;
  parameter.eps = tolerance_;
  parameter.shrinking = 1;
  // Room for every row, which LIBSVM keeps in single precision, and a little for its book-keeping.
  parameter.cache_size = 1 + 1.1 * sizeof(float) * static_cast<double>(kernel.size()) / kMegabyte;
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));
  Vector rho = Vector::Zero(labels_.size());
  const double sign = model->label[0] > 0 ? 1 : -1;  // LIBSVM's positive class is the one it met first
  for (int k = 0; k < model->l; ++k) rho(model->sv_indices[k] - 1) = sign * model->sv_coef[0][k];
  return rho;
}

}  // namespace spicymkl
