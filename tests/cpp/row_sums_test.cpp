// Sums over the rows, block by block.
#include <gtest/gtest.h>

#include "core/row_sums.hpp"

namespace {

using spicymkl::Index;
using spicymkl::Matrix;
using spicymkl::RowSums;
using spicymkl::Vector;

TEST(RowSumsTest, AreThoseOfWholeColumnsForAnyNumberOfThreads) {
  for (const Index n : {1, 7, 2048, 2049, 50001}) {
    const Matrix columns = Matrix::Random(n, 3);
    const Vector v = Vector::Random(n);
    const auto sums_of = [&](Index item, Index first, Index count) -> RowSums<2>::Sums {
      const auto column = columns.col(item).segment(first, count);
      return {column.sum(), column.dot(v.segment(first, count))};
    };
    RowSums<2> alone, together;
    alone.sum(3, n, 1, sums_of);
    together.sum(3, n, 4, sums_of);
    for (Index item = 0; item < 3; ++item) {
      EXPECT_EQ(alone.of(item), together.of(item)) << n;
      EXPECT_NEAR(alone.of(item)(0), columns.col(item).sum(), 1e-14 * static_cast<double>(n)) << n;
      EXPECT_NEAR(alone.of(item)(1), columns.col(item).dot(v), 1e-14 * static_cast<double>(n)) << n;
    }
    alone.sum(0, n, 1, sums_of);  // nothing to sum
  }
}

}  // namespace
