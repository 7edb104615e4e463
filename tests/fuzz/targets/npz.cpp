// Archives of arrays, stored and deflated, with sizes of 32 and of 64 bits.
#include "io/npz.hpp"
#include "../../cpp/io_numpy_bytes.hpp"
#include "../support.hpp"
#include "../targets.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> npz_seeds() {
  const std::string matrix = test::npy("<f8", "(2, 2)", test::cells<double>({1, 2, 3, 4}));
  const std::string labels = test::npy("<U1", "(2,)", test::cells<std::uint32_t>({'a', 'b'}));
  const std::vector<std::pair<std::string, std::string>> members = {{"x.npy", matrix}, {"y.npy", labels}};
  std::string wrong_crc = test::zip(members);
  wrong_crc[100] = static_cast<char>(wrong_crc[100] ^ 1);
  const std::string zeros = test::npy("<f8", "(1000, 1)", std::string(8000, '\0'));
  return {
      test::zip(members),
      test::zip(members, {.deflate = true}),
      test::zip(members, {.zip64 = true}),
      test::zip(members, {.deflate = true, .zip64 = true}),
      test::zip(members, {.flags = 1}),
      test::zip({{"x.npy", matrix}, {"x.npy", matrix}}),
      test::zip({{"x.npy", matrix}, {"x0.npy", labels}}),
      test::zip({{"readme.txt", "hello"}}),
      test::zip({{"x.npy", zeros}}, {.deflate = true}),
      test::zip({{"x.npy", "no array"}}),
      wrong_crc,
      test::zip({}),
  };
}

void read_npz(std::string_view bytes) {
  read_tables(bytes, TableFormat::npz);
  const NpzArchive archive(bytes, "fuzz.npz");
  for (const std::string& name : archive.names())
    accepted([&] {
      std::string inflated;
      archive.read(name, inflated);
    });
}

}  // namespace

Target npz_target() {
  return {"npz",
          npz_seeds,
          {"PK\x01\x02", "PK\x03\x04", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", "\xFF\xFF\xFF\xFF", ".npy", "x.npy",
           "\x93NUMPY", "'descr'", "'shape'", "<f8", "(2, 2)"},
          read_npz};
}

}  // namespace spicymkl::fuzz
