// Everything a file can be that it should not be: one sentence each, naming file, line and column.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io_files.hpp"
#include "io_numpy_bytes.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl {
namespace {

using test::cells;
using test::npy;
using test::npy_with_header;
using test::TemporaryFolder;
using test::zip;

struct BadInput {
  std::string title;
  std::string file;
  std::string bytes;
  std::vector<std::string> says;  ///< parts of the sentence, besides the file's name
  TableOptions options = {};
};

void PrintTo(const BadInput& bad, std::ostream* out) { *out << bad.title; }

TableOptions with_target(const std::string& target) {
  TableOptions options;
  options.target = target;
  return options;
}

TableOptions with_header(Header header) {
  TableOptions options;
  options.header = header;
  return options;
}

TableOptions with_features(Index n) {
  TableOptions options;
  options.n_features = n;
  return options;
}

TableOptions with_drop(const std::string& target, const std::vector<std::string>& drop) {
  TableOptions options = with_target(target);
  options.drop = drop;
  return options;
}

TableOptions with_keep(const std::string& target, const std::vector<std::string>& keep) {
  TableOptions options = with_target(target);
  options.keep = keep;
  return options;
}

TableOptions with_categorical(const std::string& column) {
  TableOptions options;
  options.categorical = {column};
  return options;
}

std::string changed(std::string bytes, std::size_t at) {
  bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
  return bytes;
}

const std::string kSix = cells<double>({1, 2, 3, 4, 5, 6});
const std::string kNpy = npy("<f8", "(3, 2)", kSix);

class BadTable : public testing::TestWithParam<BadInput> {};

TEST_P(BadTable, IsRefusedInOneSentence) {
  const TemporaryFolder folder;
  const std::string path = folder.write(GetParam().file, GetParam().bytes);
  for (const int threads : {1, 2}) {
    TableOptions options = GetParam().options;
    options.threads = threads;
    const std::string sentence = test::refusal([&] { read_table(path, options); });
    test::expect_contains(sentence, path);
    for (const std::string& part : GetParam().says) test::expect_contains(sentence, part);
    test::expect_one_sentence(sentence);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Csv, BadTable,
    testing::Values(BadInput{"empty", "t.csv", "", {"is empty"}},
                    BadInput{"blank lines", "t.csv", "\n\n", {"is empty"}},
                    BadInput{"byte order mark alone", "t.csv", "\xEF\xBB\xBF", {"is empty"}},
                    BadInput{"header only", "t.csv", "a,b\n", {"header", "no rows"}},
                    BadInput{"header only, said", "t.csv", "1,2\n", {"no rows"}, with_header(Header::yes)},
                    BadInput{"short row", "t.csv", "a,b,c\n1,2,3\n4,5\n", {"line 3", "2 cells", "header has 3"}},
                    BadInput{"long row", "t.csv", "a,b\n1,2\n3,4,5\n", {"line 3", "3 cells", "has 2"}},
                    BadInput{"ragged without header", "t.csv", "1,2\n3\n", {"line 2", "1 cells", "first row has 2"}},
                    BadInput{"text", "t.csv", "a,b\n1,2\n3,abc\n", {"line 3", "column 'b'", "'abc'", "not a number"}},
                    BadInput{"number with a tail", "t.csv", "a,b\n1,2\n3,4x\n", {"line 3", "column 'b'", "'4x'"}},
                    BadInput{"two signs", "t.csv", "a,b\n1,2\n3,+-4\n", {"line 3", "column 'b'", "'+-4'"}},
                    BadInput{"quoted text", "t.csv", "a,b\n1,2\n3,\"x\ny\"\n", {"line 3", "column 'b'", "'x y'"}},
                    BadInput{"infinity", "t.csv", "a,b\n1,inf\n", {"line 2", "column 'b'", "'inf'", "finite"}},
                    BadInput{"minus infinity", "t.csv", "a,b\n1,-Infinity\n", {"line 2", "column 'b'", "finite"}},
                    BadInput{"overflow", "t.csv", "a,b\n1,1e999\n", {"line 2", "column 'b'", "'1e999'"}},
                    BadInput{"line after quoted newlines",
                             "t.csv",
                             "a,b\n\"1\",2\n\"\n\n3\",4\n5,oops\n",
                             {"line 6", "'oops'"},
                             with_target("a")},
                    BadInput{"same name twice", "t.csv", "a,b,a\n1,2,3\n", {"line 1", "'a'"}},
                    BadInput{"open quote", "t.csv", "a,b\n1,2\n3,\"4\n5,6\n", {"line 3", "quoted field"}},
                    BadInput{"text behind a quote", "t.csv", "a,b\n1,\"2\"3\n", {"line 2", "'3'"}},
                    BadInput{"unknown target", "t.csv", "a,b\n1,2\n", {"no column 'y'", "'a', 'b'"}, with_target("y")},
                    BadInput{"position too large", "t.csv", "a,b\n1,2\n", {"no column '2'"}, with_target("2")},
                    BadInput{"position too negative", "t.csv", "a,b\n1,2\n", {"no column '-3'"}, with_target("-3")},
                    BadInput{"unknown dropped", "t.csv", "a,b\n1,2\n", {"no column 'z'"}, with_drop("", {"z"})},
                    BadInput{"unknown kept", "t.csv", "a,b\n1,2\n", {"no column 'z'"}, with_keep("", {"z"})},
                    BadInput{"unknown categorical", "t.csv", "a,b\n1,2\n", {"no column 'z'"}, with_categorical("z")},
                    BadInput{"target dropped", "t.csv", "a,b\n1,2\n", {"'a'", "both"}, with_drop("a", {"a"})},
                    BadInput{"target kept", "t.csv", "a,b\n1,2\n", {"'a'", "both"}, with_keep("a", {"a", "b"})},
                    BadInput{"nothing left", "t.csv", "a,b\n1,2\n", {"no column is left"}, with_drop("a", {"b"})},
                    BadInput{"UTF-16",
                             "t.csv",
                             std::string("\xFF\xFE"
                                         "a\0,\0",
                                         6),
                             {"UTF-16"}},
                    BadInput{"unknown extension", "t.dat", "1,2\n", {"format"}},
                    BadInput{"no extension", "table", "1,2\n", {"format"}},
                    BadInput{"not gzip", "t.csv.gz", "a,b\n1,2\n", {"gzip"}},
                    BadInput{"ragged TSV", "t.tsv", "a\tb\n1\t2\n3\n", {"line 3", "1 cells"}}));

INSTANTIATE_TEST_SUITE_P(
    Libsvm, BadTable,
    testing::Values(
        BadInput{"empty", "t.libsvm", "", {"is empty"}}, BadInput{"comments alone", "t.libsvm", "# a\n\n", {"no rows"}},
        BadInput{"out of order", "t.libsvm", "1 1:1\n1 3:1 2:1\n", {"line 2", "index 2", "after 3"}},
        BadInput{"twice", "t.libsvm", "1 1:1\n\n1 2:1 2:1\n", {"line 3", "index 2", "twice"}},
        BadInput{"index 0", "t.libsvm", "1 0:1\n", {"line 1", "index 0"}},
        BadInput{"negative index", "t.libsvm", "1 -2:1\n", {"line 1", "index -2"}},
        BadInput{"no colon", "t.libsvm", "1 1:1\n2 5\n", {"line 2", "'5'", "index:value"}},
        BadInput{"no index", "t.libsvm", "1 :5\n", {"line 1", "':5'"}},
        BadInput{"text value", "t.libsvm", "1 1:1 3:abc\n", {"line 1", "column 'x3'", "'abc'"}},
        BadInput{"infinite value", "t.libsvm", "1 1:inf\n", {"line 1", "column 'x1'", "finite"}},
        BadInput{"no label", "t.libsvm", "1 1:1\n1:1 2:1\n", {"line 2", "label"}},
        BadInput{"beyond n_features", "t.svmlight", "1 1:1\n1 4:1\n", {"line 2", "index 4", "3"}, with_features(3)},
        BadInput{"absurd index", "t.svm", "1 1:1\n1 2000000000:1\n", {"line 2", "2000000000", "cells"}},
        BadInput{"index beyond an int", "t.svm", "1 1:1\n1 99999999999:1\n", {"line 2", "'99999999999:1'"}},
        BadInput{"no feature at all", "t.svm", "1\n2\n", {"no column"}},
        BadInput{"other target", "t.svm", "1 1:1 2:2\n", {"label"}, with_target("x2")}));

INSTANTIATE_TEST_SUITE_P(
    Npy, BadTable,
    testing::Values(
        BadInput{"empty", "t.npy", "", {"is empty"}},
        BadInput{"not NPY", "t.npy", "hello world, this is text", {"not an NPY file"}},
        BadInput{"truncated in the magic", "t.npy", kNpy.substr(0, 7), {"truncated"}},
        BadInput{"truncated header", "t.npy", kNpy.substr(0, 40), {"truncated"}},
        BadInput{"truncated data", "t.npy", kNpy.substr(0, kNpy.size() - 1), {"(3, 2)", "47 bytes", "truncated"}},
        BadInput{"more than 2^31 cells", "t.npy", npy("<f8", "(65536, 65536)", kSix), {"(65536, 65536)", "48 bytes"}},
        BadInput{"cells overflow", "t.npy", npy("<f8", "(4294967296, 4294967296, 4)", kSix), {"truncated"}},
        BadInput{"bytes overflow", "t.npy", npy("<f8", "(4611686018427387904,)", kSix), {"truncated"}},
        BadInput{"length beyond 64 bits", "t.npy", npy("<f8", "(99999999999999999999,)", kSix), {"more cells"}},
        BadInput{"negative length", "t.npy", npy("<f8", "(-3, -2)", kSix), {"length"}},
        BadInput{"objects", "t.npy", npy("|O", "(3, 2)", kSix), {"Python objects", "'|O'"}},
        BadInput{"big-endian", "t.npy", npy(">f8", "(3, 2)", kSix), {"big-endian", "'>f8'"}},
        BadInput{"complex", "t.npy", npy("<c16", "(3,)", kSix), {"'<c16'"}},
        BadInput{"dates", "t.npy", npy("<M8[ns]", "(3, 2)", kSix), {"'<M8[ns]'"}},
        BadInput{"records",
                 "t.npy",
                 npy_with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }", kSix),
                 {"records"}},
        BadInput{
            "a key missing", "t.npy", npy_with_header("{'descr': '<f8', 'shape': (6,), }", kSix), {"fortran_order"}},
        BadInput{"unknown key", "t.npy", npy_with_header("{'descr': '<f8', 'code': 'x', }", kSix), {"'code'"}},
        BadInput{"not a dictionary", "t.npy", npy_with_header("import os", kSix), {"header"}},
        BadInput{"three dimensions", "t.npy", npy("<f8", "(1, 3, 2)", kSix), {"3 dimensions"}},
        BadInput{"no dimension", "t.npy", npy("<f8", "()", kSix), {"0 dimensions"}},
        BadInput{"no rows", "t.npy", npy("<f8", "(0, 2)", ""), {"no rows"}},
        BadInput{"no columns", "t.npy", npy("<f8", "(2, 0)", ""), {"no column"}},
        BadInput{
            "infinity", "t.npy", npy("<f8", "(2, 2)", cells<double>({1, 2, 3, INFINITY})), {"row 2", "column 'x1'"}},
        BadInput{"text", "t.npy", npy("|S3", "(2, 1)", "1.5abc"), {"row 2", "column 'x0'", "'abc'"}},
        BadInput{"unknown target", "t.npy", kNpy, {"no column 'y'"}, with_target("y")}));

const std::string kZip = zip({{"X.npy", kNpy}, {"y.npy", npy("<i8", "(3,)", cells<std::int64_t>({1, 2, 1}))}});
const std::string kDeflated = zip({{"X.npy", kNpy}}, {.deflate = true});

INSTANTIATE_TEST_SUITE_P(
    Npz, BadTable,
    testing::Values(
        BadInput{"empty", "t.npz", "", {"is empty"}}, BadInput{"not ZIP", "t.npz", kNpy, {"not an NPZ"}},
        BadInput{"truncated", "t.npz", kZip.substr(0, kZip.size() - 30), {"truncated"}},
        BadInput{"no array", "t.npz", zip({{"readme.txt", "hello"}}), {"no array"}},
        BadInput{"empty archive", "t.npz", zip({}), {"no array"}},
        BadInput{"stored damage", "t.npz", changed(kZip, 200), {"array 'X'", "checksum"}},
        BadInput{"deflated damage", "t.npz", changed(kDeflated, 70), {"array 'X'", "damaged"}},
        BadInput{"directory damage", "t.npz", changed(kDeflated, kDeflated.size() - 22 - 51), {"directory"}},
        BadInput{"encrypted", "t.npz", zip({{"X.npy", kNpy}}, {.flags = 1}), {"array 'X'", "encrypted"}},
        BadInput{"different lengths",
                 "t.npz",
                 zip({{"X.npy", kNpy}, {"y.npy", npy("<f8", "(2,)", cells<double>({1, 2}))}}),
                 {"array 'y' has 2 rows", "array 'X' has 3"}},
        BadInput{"same column twice",
                 "t.npz",
                 zip({{"x.npy", kNpy}, {"x0.npy", npy("<f8", "(3,)", cells<double>({1, 2, 3}))}}),
                 {"'x0'"}},
        BadInput{"bad member", "t.npz", zip({{"X.npy", "rubbish, not an array"}}), {"array 'X'", "not an NPY"}},
        BadInput{"unknown target", "t.npz", kZip, {"no column 'z'", "'X0', 'X1', 'y'"}, with_target("z")}));

TEST(BadFile, MissingOrADirectory) {
  const TemporaryFolder folder;
  test::expect_contains(test::refusal([&] { read_table(folder.path("absent.csv")); }),
                        "absent.csv: there is no such file; ");
  std::filesystem::create_directory(folder.path("d.csv"));
  test::expect_contains(test::refusal([&] { read_table(folder.path("d.csv")); }), "d.csv: is a directory; ");
}

TEST(BadFile, Unreadable) {
  const TemporaryFolder folder;
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const std::string path = folder.write("secret.csv", "1,2\n");
  ::chmod(path.c_str(), 0);
  test::expect_contains(test::refusal([&] { read_table(path); }), "secret.csv: may not be read; ");
}

TEST(BadFile, TruncatedAndDamagedGzip) {
  const TemporaryFolder folder;
  std::string text = "a,b\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * i) + "," + std::to_string(i) + "\n";
  const std::string bytes = test::file_bytes(folder.write_gzip("t.csv.gz", text));
  for (const std::size_t size : {std::size_t{5}, bytes.size() / 2, bytes.size() - 1}) {
    const std::string cut = folder.write("cut.csv.gz", bytes.substr(0, size));
    test::expect_contains(test::refusal([&] { read_table(cut); }), "cut.csv.gz: the gzip data end too early");
  }
  const std::string bad = folder.write("bad.csv.gz", changed(bytes, bytes.size() - 6));
  test::expect_contains(test::refusal([&] { read_table(bad); }), "bad.csv.gz: the gzip data are damaged");
}

/// No byte, changed or cut off, may crash the reader of binary headers: it reads, or it refuses.
TEST(BadFile, EveryDamagedByteOfAnArchiveIsReadOrRefused) {
  const TemporaryFolder folder;
  const std::string archives[] = {kZip, kDeflated, zip({{"X.npy", kNpy}}, {.zip64 = true})};
  int refused = 0;
  for (const std::string& archive : archives)
    for (std::size_t at = 0; at < archive.size(); ++at)
      for (const std::string& bytes : {changed(archive, at), archive.substr(0, at)}) {
        try {
          read_table(folder.write("t.npz", bytes));
        } catch (const InputError&) {
          ++refused;
        }
      }
  EXPECT_GT(refused, 500);
}

TEST(BadOption, UnknownFormat) {
  test::expect_contains(test::refusal([] { parse_table_format("xls"); }), "'xls'");
}

}  // namespace
}  // namespace spicymkl
