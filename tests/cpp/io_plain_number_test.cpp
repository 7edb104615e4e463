// Numbers in the plain form are read to the last bit, everything else is left to others.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "io/plain_number.hpp"

namespace spicymkl {
namespace {

const char* read(const std::string& text, double& number) {
  return read_plain_number(text.data(), text.data() + text.size(), number);
}

TEST(PlainNumber, IsTheNearestNumberToWhatIsWritten) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> length(1, 7), digit(0, 9), sign(0, 1);
  for (int round = 0; round < 100000; ++round) {
    std::string text = sign(random) ? "-" : "";
    for (int k = length(random); k > 0; --k) text += static_cast<char>('0' + digit(random));
    if (sign(random)) {
      text += '.';
      for (int k = length(random) + 1; k > 0; --k) text += static_cast<char>('0' + digit(random));
    }
    double number = 1;
    ASSERT_EQ(read(text, number), text.data() + text.size()) << text;
    ASSERT_EQ(number, std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(PlainNumber, EndsWhereItEnds) {
  double number = 0;
  const std::string cell = "12.5,7";
  EXPECT_EQ(read(cell, number), cell.data() + 4);
  EXPECT_EQ(number, 12.5);
  const std::string zero = "-0";
  EXPECT_EQ(read(zero, number), zero.data() + 2);
  EXPECT_TRUE(std::signbit(number));
  const std::string most = "999999999999999", after_point = "0.99999999999999";
  EXPECT_NE(read(most, number), nullptr);
  EXPECT_EQ(number, 999999999999999.0);
  EXPECT_NE(read(after_point, number), nullptr);
  EXPECT_EQ(number, 0.99999999999999);
}

TEST(PlainNumber, LeavesOtherFormsToOthers) {
  double number = 0;
  for (const char* text :
       {"", "-", ".", ".5", "5.", "-.5", "+5", "nan", "inf", "1e3", "1.5E-7", " 1", "x", "1234567890123456",
        "0.123456789012345", "99999999999999999999999999", "0.00000000000000000000001"})
    EXPECT_EQ(read(text, number), nullptr) << text;
}

}  // namespace
}  // namespace spicymkl
