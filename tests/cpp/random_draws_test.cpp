// Random numbers are those of the generators' definitions: the same on every machine.
#include "core/random_draws.hpp"

#include <gtest/gtest.h>

namespace {

using namespace spicymkl;

/// The outputs that the authors of the generator give for the seed 1234567.
TEST(RandomDraws, SplitMixIsThatOfItsAuthors) {
  SplitMix64 generator(1234567);
  for (const std::uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL})
    EXPECT_EQ(generator(), expected);
}

/// The standard gives the 10000th output of a std::mt19937_64 with its default seed.
TEST(RandomDraws, UniformTakesTheUpperBits) {
  RandomDraws draws(5489);
  for (int k = 1; k < 10000; ++k) draws.uniform();
  EXPECT_EQ(draws.uniform(), static_cast<double>(9981545732273789042ULL >> 11) * 0x1.0p-53);
}

TEST(RandomDraws, ChiSquaredIsTheSquareOfANormal) {
  RandomDraws normal(3), square(3);
  double sum = 0;
  for (int k = 0; k < 1000; ++k) {
    const double x = normal.normal();
    EXPECT_NEAR(square.chi_squared(), x * x, 1e-14 * (1 + x * x));
    sum += x * x;
  }
  EXPECT_NEAR(sum / 1000, 1, 0.2);
}

}  // namespace
