// Output files: whole or absent, and nothing of a killed process stays for good.
#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "io_files.hpp"

namespace spicymkl {
namespace {

class AtomicFileTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  void make(const std::string& name) const { std::ofstream(path(name)) << "left behind"; }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path(""))) found.insert(file.path().filename());
    return found;
  }

  test::TemporaryFolder folder_;
};

TEST_F(AtomicFileTest, WithoutCommitNothingIsThere) {
  { AtomicFile(path("m")).write("half"); }
  EXPECT_TRUE(names().empty());
}

TEST_F(AtomicFileTest, TogetherTheyReplaceWhatWasThere) {
  make("a");
  AtomicFile a(path("a")), b(path("b"));
  a.write("1");
  b.write("2");
  commit_together({&a, &b});
  EXPECT_EQ(names(), (std::set<std::string>{"a", "b"}));
  std::string content;
  std::ifstream(path("a")) >> content;
  EXPECT_EQ(content, "1");
}

TEST_F(AtomicFileTest, RemovesWhatKilledProcessesLeft) {
  for (const char* name : {"m.4194999-0.part", "m.17-12.part", "m.notes.part", "m.1-0", "n.1-0.part", "m.part"})
    make(name);
  write_file(path("m"), "new");
  EXPECT_EQ(names(), (std::set<std::string>{"m", "m.notes.part", "m.1-0", "n.1-0.part", "m.part"}));
}

TEST_F(AtomicFileTest, LeavesWhatAnotherProcessIsAboutToRename) {
  make("m.17-0.part");
  const int other = ::open(path("m.17-0.part").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  write_file(path("m"), "new");
  EXPECT_EQ(names(), (std::set<std::string>{"m", "m.17-0.part"}));
  ::close(other);
  write_file(path("m"), "newer");
  EXPECT_EQ(names(), (std::set<std::string>{"m"}));
}

}  // namespace
}  // namespace spicymkl
