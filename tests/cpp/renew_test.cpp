// Memory that is refused leaves a matrix empty.
#include "core/renew.hpp"

#include <gtest/gtest.h>

#include <new>

namespace spicymkl {
namespace {

TEST(Renew, HasTheSizeThatIsAskedFor) {
  Matrix A = Matrix::Ones(3, 4);
  renew(A, 5, 2);
  EXPECT_TRUE(A.rows() == 5 && A.cols() == 2);
  const double* const place = A.data();
  renew(A, 2, 5);
  EXPECT_TRUE(A.rows() == 2 && A.cols() == 5 && A.data() == place) << "as large as before";
  Vector v = Vector::Ones(3);
  renew(v, 0, 1);
  EXPECT_EQ(v.size(), 0);
}

TEST(Renew, LeavesNothingWhereMemoryIsRefused) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the program where memory is refused";
#endif
  Matrix A = Matrix::Ones(3, 4);
  EXPECT_THROW(renew(A, Index{1} << 28, Index{1} << 28), std::bad_alloc);
  EXPECT_TRUE(A.size() == 0 && A.data() == nullptr);
}

}  // namespace
}  // namespace spicymkl
