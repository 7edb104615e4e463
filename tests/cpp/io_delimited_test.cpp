// CSV and TSV: what is read, and that it does not depend on threads.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include "io/csv_text.hpp"
#include "io_files.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl {
namespace {

using test::TemporaryFolder;
using Texts = std::vector<std::string>;
using Lines = std::vector<Index>;

Table read_text(const std::string& text, const TableOptions& options = {}, const std::string& name = "t.csv") {
  const TemporaryFolder folder;
  return read_table(folder.write(name, text), options);
}

TEST(Delimited, ReadsNumbersUnderAHeader) {
  const Table table = read_text("a,b\n1,2.5\n-3e2,+4\n");
  EXPECT_EQ(table.columns, (Texts{"a", "b"}));
  EXPECT_EQ(table.values, (Matrix(2, 2) << 1, 2.5, -300, 4).finished());
  EXPECT_EQ(table.lines, (Lines{2, 3}));
  EXPECT_FALSE(table.has_target());
}

TEST(Delimited, NumbersAreReadToTheLastBit) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::string text = "x\n";
  Vector expected(1000);
  for (double& value : expected) {
    value = normal(random) * std::pow(10.0, normal(random) * 20);
    text += fmt::format("{}\n", value);
  }
  EXPECT_EQ(read_text(text).values.col(0), expected);
}

TEST(Delimited, LineEndsByteOrderMarkAndMissingLastNewlineDoNotMatter) {
  const Matrix expected = (Matrix(2, 2) << 1, 2, 3, 4).finished();
  for (const std::string text : {"a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n",
                                 "\xEF\xBB\xBF"
                                 "a,b\n1,2\n3,4\n",
                                 "a,b\n1,2\n3,4\n\n\n", "a , b\n 1, 2 \n3 ,4\n"}) {
    const Table table = read_text(text);
    EXPECT_EQ(table.values, expected) << text;
    EXPECT_EQ(table.columns, (Texts{"a", "b"})) << text;
  }
}

TEST(Delimited, CellsThatWeWriteReadAsTheyWere) {
  const Texts cells{"plain", "a b", " a", "a ", "\ta", "a\t", "\t", "a,b", "a;b", "say \"a\"", "two\nlines", "a\rb"};
  std::string text = "k,t\n";
  for (const std::string& cell : cells) text += "1," + csv_cell(cell) + "\n";
  TableOptions options;
  options.target = "t";
  EXPECT_EQ(read_text(text, options).target, cells);
}

TEST(Delimited, QuotedFieldsMayHoldSeparatorsNewlinesAndQuotes) {
  TableOptions options;
  options.target = "na,me";
  const Table table = read_text(
      "x,\"na,me\",y\r\n\"1\",\"a,b\",2\r\n3,\"two\r\nlines\",4\r\n5,\"say \"\"so\"\"\",6\r\n7,\"\",8", options);
  EXPECT_EQ(table.target_name, "na,me");
  EXPECT_EQ(table.target, (Texts{"a,b", "two\r\nlines", "say \"so\"", ""}));
  EXPECT_EQ(table.values, (Matrix(4, 2) << 1, 2, 3, 4, 5, 6, 7, 8).finished());
  EXPECT_EQ(table.lines, (Lines{2, 3, 5, 6}));
}

TEST(Delimited, AQuoteInsideAnUnquotedFieldIsAnOrdinaryCharacter) {
  TableOptions options;
  options.target = "h";
  const Table table = read_text("h,x\n5'6\",1\n6'0\",2\n", options);
  EXPECT_EQ(table.target, (Texts{"5'6\"", "6'0\""}));
  EXPECT_EQ(table.values.col(0), (Vector(2) << 1, 2).finished());
}

TEST(Delimited, TabsSeparateInTsv) {
  const Table table = read_text("a\tb\n1\t2\n\t4\n", {}, "t.tsv");
  EXPECT_EQ(table.columns, (Texts{"a", "b"}));
  EXPECT_EQ(table.values(0, 1), 2);
  EXPECT_TRUE(std::isnan(table.values(1, 0)));
}

TEST(Delimited, MissingMarkersBecomeNaN) {
  const Table table = read_text("a,b\n1,1\n,1\nNA,1\nNaN,1\nnan,1\n?,1\nnull,1\n\"\",1\n  ,1\n");
  EXPECT_EQ(table.rows(), 9);
  EXPECT_EQ(table.values.col(0).array().isNaN().count(), 8);
  EXPECT_EQ(table.values.col(1).sum(), 9);
}

TEST(Delimited, BlankLinesAreNoRowsButInOneColumnTheyAreMissing) {
  const Table two = read_text("a,b\n\n1,2\n\n3,4\n");
  EXPECT_EQ(two.rows(), 2);
  EXPECT_EQ(two.lines, (Lines{3, 5}));
  const Table one = read_text("a\n1\n\n3\n\n");
  EXPECT_EQ(one.rows(), 3);
  EXPECT_TRUE(std::isnan(one.values(1, 0)));
}

TEST(Delimited, CommentLinesAreNotSpecial) {
  TableOptions options;
  options.target = "y";
  EXPECT_EQ(read_text("x,y\n1,#a\n2,b\n", options).target, (Texts{"#a", "b"}));
}

TEST(Delimited, FindsTheHeaderOrItsAbsence) {
  EXPECT_EQ(read_text("1,2\n3,4\n").rows(), 2);
  EXPECT_EQ(read_text("1,2\n3,4\n").columns, (Texts{"x0", "x1"}));
  EXPECT_EQ(read_text("1,NA\n3,4\n").rows(), 2);
  EXPECT_EQ(read_text("id,2019\n1,2\n").columns, (Texts{"id", "2019"}));
  EXPECT_EQ(read_text(",a\n0,5\n").columns, (Texts{"x0", "a"}));
  TableOptions options;
  options.target = "-1";
  EXPECT_EQ(read_text("1,yes\n2,no\n", options).rows(), 2);
  EXPECT_EQ(read_text("x,class\n2,no\n", options).target_name, "class");
  options.categorical = {"0"};
  EXPECT_EQ(read_text("shape,class\nround,no\n", options).rows(), 1);
}

TEST(Delimited, HeaderYesAndNoOverrule) {
  TableOptions options;
  options.header = Header::yes;
  EXPECT_EQ(read_text("1,2\n3,4\n", options).columns, (Texts{"1", "2"}));
  options.header = Header::no;
  options.categorical = {"0", "1"};
  const Table table = read_text("a,b\nc,d\n", options);
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.categories[1], (Texts{"b", "d"}));
}

TEST(Delimited, TargetDropAndKeepByNameOrPosition) {
  const std::string text = "a,b,c,d\n1,2,3,4\n5,6,7,8\n";
  TableOptions options;
  options.target = "-1";
  options.drop = {"0"};
  const Table table = read_text(text, options);
  EXPECT_EQ(table.columns, (Texts{"b", "c"}));
  EXPECT_EQ(table.target, (Texts{"4", "8"}));
  EXPECT_EQ(table.target_name, "d");
  options = {};
  options.keep = {"c", "a"};
  const Table kept = read_text(text, options);
  EXPECT_EQ(kept.columns, (Texts{"c", "a"}));
  EXPECT_EQ(kept.values, (Matrix(2, 2) << 3, 1, 7, 5).finished());
}

TEST(Delimited, ADroppedOrUnkeptColumnMayHoldAnything) {
  TableOptions options;
  options.drop = {"note"};
  EXPECT_EQ(read_text("a,note\n1,\"x,\ny\"\n2,inf\n", options).values.col(0).sum(), 3);
  options = {};
  options.keep = {"a"};
  EXPECT_EQ(read_text("a,note\n1,text\n2,inf\n", options).values.cols(), 1);
}

TEST(Delimited, ANameWinsOverAPosition) {
  TableOptions options;
  options.header = Header::yes;
  options.target = "1";
  EXPECT_EQ(read_text("1,0\n7,8\n", options).target, (Texts{"7"}));
}

TEST(Delimited, CategoriesAreSortedAndMissingOnesStayMissing) {
  TableOptions options;
  options.categorical = {"c", "n"};
  const Table table = read_text("c,n,x\nred,10,1\nblue,9,2\n?,9,3\nred,10,4\n", options);
  EXPECT_EQ(table.categories[0], (Texts{"blue", "red"}));
  EXPECT_EQ(table.categories[1], (Texts{"9", "10"}));  // numbers by value, not by text
  EXPECT_TRUE(table.categories[2].empty());
  EXPECT_EQ(table.values(0, 0), 1);
  EXPECT_EQ(table.values(1, 0), 0);
  EXPECT_TRUE(std::isnan(table.values(2, 0)));
  EXPECT_EQ(table.values(3, 0), 1);
  EXPECT_EQ(table.values.col(1), (Vector(4) << 1, 0, 0, 1).finished());
}

/// Large enough for several parts; categories and quoted newlines at irregular places.
std::string large_text(bool quotes) {
  std::mt19937_64 random(7);
  std::string text = "x,c,y,z\n";
  for (int i = 0; i < 60000; ++i) {
    const std::string word = fmt::format("k{}", random() % 50);
    text += fmt::format("{},{},{},{}\n", i, quotes && random() % 7 == 0 ? "\"" + word + ",\n\"\"\"" : word,
                        random() % 3, i % 1000 * 0.25);
    if (random() % 1000 == 0) text += "\n";
  }
  return text;
}

TEST(Delimited, AnyNumberOfThreadsReadsTheSame) {
  for (const bool quotes : {false, true}) {
    const std::string text = large_text(quotes);
    ASSERT_GT(text.size(), std::size_t{3} << 18);  // three parts at least
    TableOptions options;
    options.target = "y";
    options.categorical = {"c"};
    options.threads = 1;
    const Table one = read_text(text, options);
    ASSERT_EQ(one.rows(), 60000);
    EXPECT_EQ(one.values.col(0), Vector::LinSpaced(60000, 0, 59999));
    for (const int threads : {2, 3, 4}) {
      options.threads = threads;
      const Table many = read_text(text, options);
      EXPECT_EQ(many.values, one.values);
      EXPECT_EQ(many.lines, one.lines);
      EXPECT_EQ(many.target, one.target);
      EXPECT_EQ(many.categories, one.categories);
    }
  }
}

TEST(Delimited, TheFirstFaultOfALargeFileIsTheOneNamed) {
  std::string text = large_text(false);
  for (const std::string row : {"\n50000,", "\n10000,"}) text.replace(text.find(row), row.size(), "\nbad,");
  TableOptions options;
  options.categorical = {"c"};
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", text);
  std::vector<std::string> sentences;
  for (const int threads : {1, 2, 4}) {
    options.threads = threads;
    sentences.push_back(test::refusal([&] { read_table(path, options); }));
  }
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("\nbad")) + 1, '\n');
  test::expect_contains(sentences[0], fmt::format("line {}, column 'x'", line));
  EXPECT_EQ(sentences[1], sentences[0]);
  EXPECT_EQ(sentences[2], sentences[0]);
}

TEST(Delimited, GzipIsReadLikeThePlainFile) {
  const TemporaryFolder folder;
  const std::string text = large_text(true);
  TableOptions options;
  options.drop = {"c"};
  const Table plain = read_table(folder.write("t.csv", text), options);
  EXPECT_EQ(read_table(folder.write_gzip("t.csv.gz", text), options).values, plain.values);
  // Two members, one after the other, as `cat a.gz b.gz` makes.
  const std::size_t half = text.find("\n30000,") + 1;
  const std::string two = test::file_bytes(folder.write_gzip("a.gz", text.substr(0, half))) +
                          test::file_bytes(folder.write_gzip("b.gz", text.substr(half)));
  EXPECT_EQ(read_table(folder.write("two.csv.gz", two), options).values, plain.values);
}

TEST(Delimited, APipeIsReadLikeAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe.csv");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text = large_text(false);
  std::jthread writer([&] { folder.write("pipe.csv", text); });
  TableOptions options;
  options.drop = {"c"};
  EXPECT_EQ(read_table(path, options).rows(), 60000);
}

TEST(Delimited, ThePlaceOfARowIsItsLine) {
  const Table table = read_text("a,b\n\"1\",2\n\n3,4\n");
  test::expect_contains(table.place(1), "t.csv, line 4");
  test::expect_contains(table.place(1, 0), "t.csv, line 4, column 'a'");
}

}  // namespace
}  // namespace spicymkl
