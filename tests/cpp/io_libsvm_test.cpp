// LIBSVM / SVMlight files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io_files.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl {
namespace {

using test::TemporaryFolder;
using Texts = std::vector<std::string>;

Table read_text(const std::string& text, const TableOptions& options = {}) {
  const TemporaryFolder folder;
  return read_table(folder.write("t.libsvm", text), options);
}

TEST(Libsvm, WhatIsNotNamedIsZero) {
  const Table table = read_text("+1 1:0.5 3:-2\n-1\n\n# a comment\n+1 qid:7 2:1e3 # end 9:9\r\n");
  EXPECT_EQ(table.columns, (Texts{"x1", "x2", "x3"}));
  EXPECT_EQ(table.values, (Matrix(3, 3) << 0.5, 0, -2, 0, 0, 0, 0, 1000, 0).finished());
  EXPECT_EQ(table.target, (Texts{"+1", "-1", "+1"}));
  EXPECT_EQ(table.lines, (std::vector<Index>{1, 2, 5}));
  EXPECT_EQ(table.target_name, "target");
}

TEST(Libsvm, NumberOfFeaturesMayBeGiven) {
  TableOptions options;
  options.n_features = 5;
  EXPECT_EQ(read_text("1 2:1\n", options).values, (Matrix(1, 5) << 0, 1, 0, 0, 0).finished());
}

TEST(Libsvm, ColumnsAreDroppedByTheirOwnIndex) {
  TableOptions options;
  options.target = "0";
  options.drop = {"2"};
  options.categorical = {"x3"};
  const Table table = read_text("a 1:1 2:2 3:30\nb 1:4 2:5 3:7\n", options);
  EXPECT_EQ(table.columns, (Texts{"x1", "x3"}));
  EXPECT_EQ(table.values, (Matrix(2, 2) << 1, 1, 4, 0).finished());
  EXPECT_EQ(table.categories[1], (Texts{"7", "30"}));
}

TEST(Libsvm, MissingValuesAndLabels) {
  const Table table = read_text("? 1:nan 2:1\n1 1:?\n");
  EXPECT_EQ(table.target[0], "");
  EXPECT_TRUE(std::isnan(table.values(0, 0)));
  EXPECT_TRUE(std::isnan(table.values(1, 0)));
  EXPECT_EQ(table.values(1, 1), 0);
}

TEST(Libsvm, AnyNumberOfThreadsReadsTheSame) {
  std::string text;
  for (int i = 0; i < 50000; ++i)
    text += fmt::format("{} {}:{} {}:{}\n{}", i % 3, 1 + i % 40, i * 0.5, 50 + i % 7, i, i % 997 ? "" : "\n");
  ASSERT_GT(text.size(), std::size_t{3} << 18);
  TableOptions options;
  options.threads = 1;
  const Table one = read_text(text, options);
  ASSERT_EQ(one.rows(), 50000);
  EXPECT_EQ(one.values(49999, 50 + 49999 % 7 - 1), 49999);
  options.threads = 3;
  const Table three = read_text(text, options);
  EXPECT_EQ(three.values, one.values);
  EXPECT_EQ(three.lines, one.lines);
  EXPECT_EQ(three.target, one.target);
}

}  // namespace
}  // namespace spicymkl
