#include "core/wording.hpp"

#include <gtest/gtest.h>

namespace spicymkl {
namespace {

TEST(Wording, CountsInTheRightNumber) {
  EXPECT_EQ(counted(0, "kernel"), "0 kernels");
  EXPECT_EQ(counted(1, "kernel"), "1 kernel");
  EXPECT_EQ(counted(526, "kernel"), "526 kernels");
  EXPECT_EQ(counted(2, "category", "categories"), "2 categories");
}

}  // namespace
}  // namespace spicymkl
