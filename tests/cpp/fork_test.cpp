// Threads in a process that was forked off one which had used them, as Python's multiprocessing does.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <numeric>
#include <stdexcept>

#include "spicymkl/core/parallel.hpp"

namespace {

using namespace spicymkl;

double sum_by_threads(int threads) {
  Vector parts = Vector::Zero(1000);
  parallel_for(parts.size(), threads, 1e6, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) parts(i) = static_cast<double>(i);
  });
  return parts.sum();
}

TEST(ForkTest, AChildOfAProcessThatUsedThreadsFinishesOnOne) {
  const double expected = sum_by_threads(2);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // a hang is a failure, not the end of the tests
    ::_exit(sum_by_threads(2) == expected && usable_threads(8) == 1 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(usable_threads(8), 8) << "the parent keeps its threads";
}

TEST(ParallelTest, WhatAPartThrowsReachesTheCaller) {
  const auto failing = [](int threads) {
    parallel_for(1000, threads, 1e6, [](Index, Index end) {
      if (end == 1000) throw std::length_error("the last part");
    });
  };
  EXPECT_THROW(failing(1), std::length_error);
  EXPECT_THROW(failing(2), std::length_error);
}

}  // namespace
