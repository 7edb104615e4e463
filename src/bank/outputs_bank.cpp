#include "outputs_bank.hpp"

#include "outputs_system.hpp"

namespace spicymkl {

namespace {

BankShape with_outputs(BankShape shape, Index n_outputs) {
  shape.n_samples *= n_outputs;
  shape.n_outputs *= n_outputs;
  return shape;
}

/// The same numbers with one column per output: N × (K·columns).
class ByOutput {
 public:
  ByOutput(ConstMatrixRef V, Index n_outputs) : n_rows_(V.rows() / n_outputs), n_columns_(V.cols() * n_outputs) {
    if (V.cols() > 1 && V.outerStride() != V.rows()) copy_ = V;
    data_ = copy_.size() > 0 ? copy_.data() : V.data();
  }
  Eigen::Map<const Matrix> get() const { return {data_, n_rows_, n_columns_}; }

 private:
  Index n_rows_, n_columns_;
  Matrix copy_;
  const double* data_;
};

/// Calls write(out seen by output), where `out` need not be contiguous.
template <class Write>
void write_by_output(MatrixRef out, Index n_outputs, const Write& write) {
  const Index n_rows = out.rows() / n_outputs, n_columns = out.cols() * n_outputs;
  if (out.cols() <= 1 || out.outerStride() == out.rows()) {
    write(Eigen::Map<Matrix>(out.data(), n_rows, n_columns));
    return;
  }
  Matrix whole(out.rows(), out.cols());
  write(Eigen::Map<Matrix>(whole.data(), n_rows, n_columns));
  out = whole;
}

}  // namespace

OutputsBank::OutputsBank(std::shared_ptr<const KernelBank> rows, Index n_outputs)
    : KernelBank(with_outputs(rows->shape(), n_outputs)), rows_(std::move(rows)) {}

void OutputsBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const ByOutput columns(V, n_outputs());
  if (V.cols() == 1 && columns.get().rightCols(1).isZero(0)) return products_of_some(set, columns.get(), out);
  write_by_output(out, n_outputs(), [&](auto images) { rows_->products(set, columns.get(), images); });
}

void OutputsBank::products_of_some(KernelSet set, const Matrix& V, MatrixRef out) const {
  std::vector<Index> some;
  for (Index k = 0; k < V.cols(); ++k)
    if (!V.col(k).isZero(0)) some.push_back(k);
  const Index count = std::ssize(some);
  Matrix images(n_rows(), count * std::ssize(set));
  if (count > 0) rows_->products(set, V(Eigen::all, some), images);
  out.setZero();
  for (Index m = 0; m < std::ssize(set); ++m)
    for (Index k = 0; k < count; ++k) out.col(m).segment(some[k] * n_rows(), n_rows()) = images.col(m * count + k);
}

void OutputsBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  rows_->weighted_diagonal(set, weights, out.head(n_rows()));
  for (Index k = 1; k < n_outputs(); ++k) out.segment(k * n_rows(), n_rows()) = out.head(n_rows());
}

void OutputsBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const { joint_forms(set, V, 1, out); }

void OutputsBank::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  rows_->joint_forms(set, ByOutput(V, n_outputs()).get(), together * n_outputs(), out);
}

void OutputsBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  const ByOutput columns(V, n_outputs());
  write_by_output(out, n_outputs(), [&](auto images) { rows_->weighted_product(set, weights, columns.get(), images); });
}

std::unique_ptr<NewtonSystem> OutputsBank::make_newton_system() const {
  return std::make_unique<OutputsSystem>(*rows_, n_outputs());
}

KernelSubsets OutputsBank::subsets() const {
  KernelSubsets of_rows = rows_->subsets();
  return {of_rows.quick_size,
          [of = std::move(of_rows.of), n_outputs = n_outputs()](std::vector<Index> kernels) {
            return std::make_shared<OutputsBank>(of(std::move(kernels)), n_outputs);
          },
          of_rows.columns};
}

std::shared_ptr<const KernelBank> OutputsBank::on_samples(const std::vector<Index>& rows) const {
  std::shared_ptr<const KernelBank> part = rows_->on_samples(rows);
  return part == nullptr ? nullptr : std::make_shared<OutputsBank>(std::move(part), n_outputs());
}

std::shared_ptr<const KernelBank> with_outputs(std::shared_ptr<const KernelBank> rows, Index n_outputs) {
  if (n_outputs == 1 || rows == nullptr) return rows;
  return std::make_shared<OutputsBank>(std::move(rows), n_outputs);
}

}  // namespace spicymkl
