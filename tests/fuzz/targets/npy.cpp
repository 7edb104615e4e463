// NumPy arrays: as tables, as Gram matrices, as labels.
#include "spicymkl/io/npy.hpp"
#include "../../cpp/io_numpy_bytes.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "spicymkl/io/label_file.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> npy_seeds() {
  const std::string numbers = test::cells<double>({1, 2, 3, 4, 5, 6});
  return {
      test::npy("<f8", "(3, 2)", numbers),
      test::npy("<f8", "(3, 2)", numbers, true),
      test::npy("<f8", "(6,)", numbers),
      test::npy("<f8", "(1, 2, 3)", numbers, true),
      test::npy("<f4", "(2, 2)", test::cells<float>({1, -0.5F, 3e38F, 0})),
      test::npy("<f2", "(2,)", test::cells<std::uint16_t>({0x3C00, 0x7C00})),
      test::npy("|b1", "(2, 2)", std::string("\0\1\1\0", 4)),
      test::npy("|u1", "(4,)", "abcd"),
      test::npy("<i8", "(2,)", test::cells<std::int64_t>({-5, std::int64_t{1} << 62})),
      test::npy("|S3", "(2, 2)", "abcde\0fghijk"),
      test::npy("<U2", "(2,)", test::cells<std::uint32_t>({'a', 0, 0x1F600, 0x110000})),
      test::npy("<f8", "()", test::cells<double>({7})),
      test::npy("<f8", "(0, 1099511627776)", ""),
      test::npy("<f8", "(4611686018427387904, 4)", numbers),
      test::npy("<f8", "(4294967296, 4294967296, 0)", numbers),
      test::npy("|O", "(1,)", numbers),
      test::npy(">f8", "(6,)", numbers),
      test::npy("<c16", "(3,)", numbers),
      std::string("\x93NUMPY\x03\0\xFF\xFF\xFF\xFF", 12),
  };
}

/// Every cell, in place or copied.
void read_array(const std::string& path) {
  const NpyArray array = read_npy(path);
  volatile double cell = 0;
  for (Index i = 0; i < array.size(); ++i) cell = array.data[i];
}

void read_npy_bytes(std::string_view bytes) {
  read_tables(bytes, TableFormat::npy);
  const MemoryFile file(bytes);
  accepted([&] { read_array(file.path()); });
  accepted([&] { require(!read_labels(file.path()).empty(), "no labels were accepted"); });
}

}  // namespace

Target npy_target() {
  return {"npy",
          npy_seeds,
          {"\x93NUMPY",
           "'descr'",
           "'fortran_order'",
           "'shape'",
           "True",
           "False",
           "<f8",
           "<f4",
           "<f2",
           "|b1",
           "|u1",
           "<i8",
           "<u8",
           "|S3",
           "<U2",
           ">f8",
           "|O",
           "()",
           "(3,)",
           "(2, 3)",
           "(0, 3)",
           "9223372036854775807",
           "4294967296"},
          read_npy_bytes};
}

}  // namespace spicymkl::fuzz
