#include "spicymkl/core/wording.hpp"

#include <gtest/gtest.h>

namespace spicymkl {
namespace {

TEST(Wording, CountsInTheRightNumber) {
  EXPECT_EQ(counted(0, "kernel"), "0 kernels");
  EXPECT_EQ(counted(1, "kernel"), "1 kernel");
  EXPECT_EQ(counted(526, "kernel"), "526 kernels");
  EXPECT_EQ(counted(2, "category", "categories"), "2 categories");
}

TEST(Wording, SizesHaveThreeDigits) {
  EXPECT_EQ(size_in_words(0), "0 bytes");
  EXPECT_EQ(size_in_words(1), "1 byte");
  EXPECT_EQ(size_in_words(999), "999 bytes");
  EXPECT_EQ(size_in_words(1820), "1.82 kB");
  EXPECT_EQ(size_in_words(34567890), "34.6 MB");
  EXPECT_EQ(size_in_words(1.82e9), "1.82 GB");
  EXPECT_EQ(size_in_words(999.7e6), "1.00 GB");
  EXPECT_EQ(size_in_words(20e12), "20.0 TB");
}

TEST(Wording, DurationsAreRough) {
  EXPECT_EQ(duration_in_words(0.034), "0.034 s");
  EXPECT_EQ(duration_in_words(45.4), "45 s");
  EXPECT_EQ(duration_in_words(720), "12 min");
  EXPECT_EQ(duration_in_words(12600), "3.5 h");
  EXPECT_EQ(duration_in_words(4 * 86400), "4 days");
}

}  // namespace
}  // namespace spicymkl
