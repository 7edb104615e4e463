// The files that readers are attacked with, and those that once did harm, read again by the ordinary build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "../fuzz/target.hpp"
#include "io_files.hpp"

namespace spicymkl {
namespace {

class FuzzTarget : public testing::TestWithParam<std::string> {
 protected:
  const fuzz::Target& target() const { return fuzz::find_target(GetParam()); }
  void expect_harmless(const std::string& bytes, const std::string& what) const {
    EXPECT_NO_THROW(fuzz::attack(target(), bytes)) << GetParam() << ", " << what;
  }
};

TEST_P(FuzzTarget, BearsItsSeeds) {
  const std::vector<std::string> seeds = target().seeds();
  ASSERT_FALSE(seeds.empty());
  for (std::size_t k = 0; k < seeds.size(); ++k) expect_harmless(seeds[k], "seed " + std::to_string(k));
}

TEST_P(FuzzTarget, BearsSeedsThatAreCutShort) {
  for (const std::string& seed : target().seeds())
    for (std::size_t k = 0; k < 20; ++k)
      expect_harmless(seed.substr(0, seed.size() * k / 20), "cut to " + std::to_string(seed.size() * k / 20));
}

TEST_P(FuzzTarget, BearsSeedsWithChangedBytes) {
  std::mt19937 random(1);
  for (const std::string& seed : target().seeds()) {
    for (int k = 0; k < 40 && !seed.empty(); ++k) {
      std::string changed = seed;
      for (int byte = 0; byte < 3; ++byte) changed[random() % changed.size()] = static_cast<char>(random());
      expect_harmless(changed, "change " + std::to_string(k));
    }
  }
}

TEST_P(FuzzTarget, BearsWhatOnceDidHarm) {
  const std::filesystem::path folder = std::filesystem::path(SPICYMKL_FUZZ_FINDINGS) / GetParam();
  if (!std::filesystem::exists(folder)) return;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    expect_harmless(test::file_bytes(file.path().string()), file.path().filename().string());
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const fuzz::Target& target : fuzz::targets()) names.push_back(target.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTarget, testing::ValuesIn(target_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace spicymkl
