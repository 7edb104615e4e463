#include "core/free_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

namespace spicymkl {
namespace {

/// A folder with files as Linux has them.
class FreeMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("free_memory_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    write("proc/meminfo", "MemTotal:       24684092 kB\nMemFree:         1000 kB\nMemAvailable:   8000000 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  double free() const { return free_memory_of_system({folder_ / "proc", folder_ / "cgroup"}); }

  std::filesystem::path folder_;
};

constexpr double kAvailable = 8000000.0 * 1024;

TEST_F(FreeMemory, IsWhatTheSystemHasAvailable) { EXPECT_EQ(free(), kAvailable); }

TEST_F(FreeMemory, OfAGroupIsItsLimitLessWhatCannotBeGivenBack) {
  write("proc/self/cgroup", "0::/slurm/job_7\n");
  write("cgroup/slurm/job_7/memory.max", "4000000000\n");
  write("cgroup/slurm/job_7/memory.current", "1500000000\n");
  write("cgroup/slurm/job_7/memory.stat", "anon 900000000\nfile 600000000\ninactive_file 500000000\n");
  EXPECT_EQ(free(), 3e9);
}

TEST_F(FreeMemory, OfAGroupIsNoMoreThanThatOfTheGroupsAround) {
  write("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
  write("cgroup/slurm/job_7/step_0/memory.max", "max\n");
  write("cgroup/slurm/job_7/memory.max", "2000000000\n");
  write("cgroup/slurm/job_7/memory.current", "500000000\n");
  write("cgroup/slurm/memory.max", "7000000000\n");
  EXPECT_EQ(free(), 1.5e9);
}

TEST_F(FreeMemory, OfAContainerThatSeesItsGroupAsTheRoot) {
  write("proc/self/cgroup", "0::/out/of/sight\n");
  write("cgroup/memory.max", "1000000000\n");
  write("cgroup/memory.current", "2000000000\n");
  EXPECT_EQ(free(), 0);
}

TEST_F(FreeMemory, OfGroupsOfVersion1) {
  write("proc/self/cgroup", "9:cpu,cpuacct:/\n4:memory:/docker/4f\n0::/\n");
  write("cgroup/memory/docker/4f/memory.limit_in_bytes", "3000000000\n");
  write("cgroup/memory/docker/4f/memory.usage_in_bytes", "1000000000\n");
  write("cgroup/memory/docker/4f/memory.stat", "inactive_file 1\ntotal_inactive_file 400000000\n");
  EXPECT_EQ(free(), 2.4e9);
}

TEST_F(FreeMemory, GroupsThatHaveNoLimitOrCannotBeReadChangeNothing) {
  write("proc/self/cgroup", "4:memory:/a\nnonsense\n3::\n");
  write("cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(free(), kAvailable);
}

TEST(FreeMemoryOfProcess, IsNoMoreThanALimitLeaves) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  const double unlimited = free_memory();
  rlimit small = before;
  small.rlim_cur = rlim_t{1} << 30;
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &small), 0);
  const double limited = free_memory();
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_LT(limited, 0x1p30);
  EXPECT_GT(unlimited, limited);
}

}  // namespace
}  // namespace spicymkl
