// NPY and NPZ tables, from bytes made by hand and, where there is NumPy, from files it wrote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "io/npy_header.hpp"
#include "io/npz.hpp"
#include "io_files.hpp"
#include "io_numpy_bytes.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl {
namespace {

using test::cells;
using test::npy;
using test::TemporaryFolder;
using test::zip;
using Texts = std::vector<std::string>;

TEST(NpyHeader, IsUnderstood) {
  const std::string bytes = npy("<f4", "(2, 3)", std::string(24, '\0'), true);
  const NpyHeader header = parse_npy_header(bytes, "t.npy");
  EXPECT_EQ(header.kind, NpyKind::floating);
  EXPECT_EQ(header.cell_size, 4u);
  EXPECT_TRUE(header.fortran_order);
  EXPECT_EQ(header.shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(header.cells, 6);
  EXPECT_EQ(header.data_offset + 24, bytes.size());
}

TEST(NpyHeader, Versions2And3HaveALongerLengthField) {
  const std::string dictionary = "{\"descr\":\"<f8\",\"fortran_order\":False,\"shape\":(1,)}\n";
  for (const char version : {'\2', '\3'}) {
    const std::string bytes = std::string("\x93NUMPY") + version + '\0' + test::little_endian(dictionary.size(), 4) +
                              dictionary + cells<double>({1});
    EXPECT_EQ(parse_npy_header(bytes, "t.npy").cells, 1);
  }
  const std::string future = std::string("\x93NUMPY\4") + '\0' + std::string(80, ' ');
  test::expect_contains(test::refusal([&] { parse_npy_header(future, "t.npy"); }), "version 4");
}

template <class T>
Matrix read_as(const std::string& descr, const std::vector<T>& values, bool fortran = false) {
  const TemporaryFolder folder;
  return read_table(folder.write("t.npy", npy(descr, "(2, 3)", cells(values), fortran))).values;
}

TEST(NpyTable, EveryNumberTypeInBothOrders) {
  const Matrix expected = (Matrix(2, 3) << 1, 2, 3, 4, 5, 100).finished();
  EXPECT_EQ(read_as<double>("<f8", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<double>("<f8", {1, 4, 2, 5, 3, 100}, true), expected);
  EXPECT_EQ(read_as<float>("<f4", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<Eigen::half>("<f2", {Eigen::half(1), Eigen::half(2), Eigen::half(3), Eigen::half(4), Eigen::half(5),
                                         Eigen::half(100)}),
            expected);
  EXPECT_EQ(read_as<std::int8_t>("|i1", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<std::int16_t>("<i2", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<std::int32_t>("<i4", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<std::int64_t>("<i8", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<std::uint8_t>("|u1", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<std::uint64_t>("<u8", {1, 2, 3, 4, 5, 100}), expected);
  EXPECT_EQ(read_as<std::int8_t>("|i1", {-1, 2, 3, 4, 5, -128})(1, 2), -128);
  EXPECT_EQ(read_as<std::uint8_t>("|u1", {1, 2, 3, 4, 5, 255})(1, 2), 255);
  EXPECT_EQ(read_as<std::uint8_t>("|b1", {1, 0, 1, 0, 1, 1}), (Matrix(2, 3) << 1, 0, 1, 0, 1, 1).finished());
}

TEST(NpyTable, TargetCategoriesAndMissingCells) {
  const TemporaryFolder folder;
  TableOptions options;
  options.target = "-1";
  options.categorical = {"x1"};
  const Table table = read_table(
      folder.write("t.npy", npy("<f8", "(3, 3)", cells<double>({NAN, 20, 1, 2, 3, -1, 4, 20, 0.5}))), options);
  EXPECT_EQ(table.columns, (Texts{"x0", "x1"}));
  EXPECT_TRUE(std::isnan(table.values(0, 0)));
  EXPECT_EQ(table.values.col(1), (Vector(3) << 1, 0, 1).finished());
  EXPECT_EQ(table.categories[1], (Texts{"3", "20"}));
  EXPECT_EQ(table.target, (Texts{"1", "-1", "0.5"}));
  test::expect_contains(table.place(0, 0), "t.npy, row 1, column 'x0'");
}

TEST(NpyTable, ManyRowsWithThreads) {
  const TemporaryFolder folder;
  std::vector<double> values(3000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const std::string path = folder.write("t.npy", npy("<f8", "(1000, 3)", cells(values)));
  TableOptions options;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const Table table = read_table(path, options);
    for (Index i = 0; i < 1000; ++i)
      for (Index j = 0; j < 3; ++j) ASSERT_EQ(table.values(i, j), static_cast<double>(3 * i + j));
  }
}

std::string utf32(const std::u32string& text) { return {reinterpret_cast<const char*>(text.data()), 4 * text.size()}; }

const std::string kSamples = npy("<f8", "(3, 2)", cells<double>({1, 2, 3, 4, 5, 6}));
const std::string kLabels = npy("<U2", "(3,)", utf32(std::u32string(U"a\0é😀b\0", 6)));

void expect_samples(const Table& table) {
  EXPECT_EQ(table.columns, (Texts{"X0", "X1"}));
  EXPECT_EQ(table.values, (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(table.target_name, "y");
  EXPECT_EQ(table.target, (Texts{"a", "é😀", "b"}));
}

TEST(NpzTable, StoredDeflatedZip64AndGzipped) {
  const TemporaryFolder folder;
  TableOptions options;
  options.target = "y";
  for (const bool deflate : {false, true})
    for (const bool zip64 : {false, true}) {
      const std::string bytes =
          zip({{"X.npy", kSamples}, {"note.txt", "hello"}, {"y.npy", kLabels}}, {.deflate = deflate, .zip64 = zip64});
      expect_samples(read_table(folder.write("t.npz", bytes), options));
      expect_samples(read_table(folder.write_gzip("t.npz.gz", bytes), options));
    }
}

TEST(NpzTable, AnArrayMayBeDroppedWhole) {
  const TemporaryFolder folder;
  TableOptions options;
  options.drop = {"y", "meta"};
  const Table table = read_table(
      folder.write(
          "t.npz",
          zip({{"meta.npy", npy("<f8", "(1,)", cells<double>({1}))}, {"X.npy", kSamples}, {"y.npy", kLabels}})),
      options);
  EXPECT_EQ(table.columns, (Texts{"X0", "X1"}));
  EXPECT_EQ(table.rows(), 3);
}

TEST(NpzArchive, NamesAndUnknownName) {
  const std::string bytes = zip({{"X.npy", kSamples}, {"y.npy", kLabels}});
  const NpzArchive archive(bytes, "t.npz");
  EXPECT_EQ(archive.names(), (Texts{"X", "y"}));
  std::string inflated;
  EXPECT_EQ(archive.read("X", inflated), kSamples);
  test::expect_contains(test::refusal([&] { archive.read("Z", inflated); }), "'Z'");
}

TEST(NpzTable, AsNumPyWritesIt) {
  const TemporaryFolder folder;
  const std::string program =
      "import numpy as np; X=np.array([[1,2],[3,4],[5,6.]]); y=np.array(['a','é😀','b']); "
      "np.savez('" +
      folder.path("s.npz") + "',X=X,y=y); np.savez_compressed('" + folder.path("c.npz") +
      "',X=X,y=y); "
      "np.save('" +
      folder.path("f.npy") +
      "',np.asfortranarray(X).astype('f4')); "
      "np.save('" +
      folder.path("o.npy") + "',np.array([1,'a'],dtype=object))";
  const char* python = std::getenv("SPICYMKL_TEST_PYTHON");
  const std::string command = fmt::format("{} -c \"{}\" 2>/dev/null", python ? python : "python3", program);
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "no Python with NumPy (set SPICYMKL_TEST_PYTHON)";
  TableOptions options;
  options.target = "y";
  expect_samples(read_table(folder.path("s.npz"), options));
  expect_samples(read_table(folder.path("c.npz"), options));
  EXPECT_EQ(read_table(folder.path("f.npy")).values, (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished());
  test::expect_contains(test::refusal([&] { read_table(folder.path("o.npy")); }), "Python objects");
}

}  // namespace
}  // namespace spicymkl
