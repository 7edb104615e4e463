#include "tall_products.hpp"

#include "blas.hpp"
#include "row_sums.hpp"

namespace spicymkl {

Matrix tall_inner_products(const Matrix& A, const std::vector<Index>& columns, ConstMatrixRef B, int threads) {
  constexpr Index kTogether = 2048;  // rows, of which the chosen columns are gathered
  const Index n = A.rows(), n_columns = std::ssize(columns), n_blocks = (n + kTogether - 1) / kTogether;
  std::vector<Matrix> of_blocks(n_blocks);
  const double cost = static_cast<double>(kTogether * n_columns * B.cols());
  parallel_for(n_blocks, threads, cost, [&](Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      const Index first = block * kTogether, rows = std::min(kTogether, n - first);
      const Matrix gathered = A.middleRows(first, rows)(Eigen::all, columns);
      of_blocks[block] = Matrix::Zero(n_columns, B.cols());
      blas::add_transposed_product(1, gathered, B.middleRows(first, rows), of_blocks[block]);
    }
  });
  Matrix sum = Matrix::Zero(n_columns, B.cols());
  for (const Matrix& part : of_blocks) sum += part;
  return sum;
}

Vector tall_inner_products(const Matrix& A, const Vector& v, int threads) {
  RowSums<1> sums;
  sums.sum(A.cols(), A.rows(), threads, [&](Index k, Index first, Index rows) {
    return RowSums<1>::Sums(A.col(k).segment(first, rows).dot(v.segment(first, rows)));
  });
  Vector products(A.cols());
  for (Index k = 0; k < products.size(); ++k) products(k) = sums.of(k)(0);
  return products;
}

}  // namespace spicymkl
