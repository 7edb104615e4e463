#include "spicymkl/io/label_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "io_files.hpp"
#include "io_numpy_bytes.hpp"

namespace spicymkl {
namespace {

using Labels = std::vector<std::string>;

Labels labels_of(const std::string& name, const std::string& bytes) {
  const test::TemporaryFolder folder;
  return read_labels(folder.write(name, bytes));
}

std::string refusal_of(const std::string& name, const std::string& bytes) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write(name, bytes);
  return test::refusal([&] { read_labels(path); });
}

TEST(LabelFile, NumbersKeepTheirShortestForm) {
  EXPECT_EQ(labels_of("y.npy", test::npy("<f8", "(3,)", test::cells<double>({1, -1, 0.5}))),
            (Labels{"1", "-1", "0.5"}));
  EXPECT_EQ(labels_of("y.npy", test::npy("<i4", "(2, 1)", test::cells<std::int32_t>({7, -2}))), (Labels{"7", "-2"}));
  EXPECT_EQ(labels_of("y.npy", test::npy("|b1", "(2,)", std::string("\1\0", 2))), (Labels{"1", "0"}));
}

TEST(LabelFile, TextsOfBothKinds) {
  EXPECT_EQ(labels_of("y.npy", test::npy("|S3", "(2,)", std::string("abcz\0\0", 6))), (Labels{"abc", "z"}));
  const std::string unicode = test::cells<std::uint32_t>({'a', 0, 0xFC, 'b'});
  EXPECT_EQ(labels_of("y.npy", test::npy("<U2", "(2,)", unicode)), (Labels{"a",
                                                                           "\xC3\xBC"
                                                                           "b"}));
}

TEST(LabelFile, LinesOfATextFile) {
  EXPECT_EQ(labels_of("y.txt", "up\ndown\nup"), (Labels{"up", "down", "up"}));
  EXPECT_EQ(labels_of("y.csv", "\xEF\xBB\xBF\"up here\"\r\n 1.5 \r\n"), (Labels{"up here", "1.5"}));
}

TEST(LabelFile, RefusalsNameTheFileAndTheRow) {
  test::expect_contains(refusal_of("y.txt", "a\n\nb\n"), "row 2: the label is missing");
  test::expect_contains(refusal_of("y.txt", "a\n\xFF\n"), "row 2: the label is not UTF-8");
  test::expect_contains(refusal_of("y.npy", test::npy("<f8", "(1,)", test::cells<double>({NAN}))), "sample 0 is nan");
  test::expect_contains(refusal_of("y.npy", test::npy("<f8", "(1, 2)", test::cells<double>({1, 2}))), "(1, 2)");
  test::expect_contains(refusal_of("y.npy", test::npy("|O", "(1,)", "12345678")), "Python objects");
  test::expect_contains(refusal_of("y.dat", "up\ndown\n"), "y.dat");
}

}  // namespace
}  // namespace spicymkl
