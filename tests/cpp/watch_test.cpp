// A stop is noticed once and for all, by whoever asks; what is being done can be looked at.
#include "spicymkl/core/watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "spicymkl/core/parallel.hpp"

namespace spicymkl {
namespace {

TEST(Watch, NeverStopsUnlessItIsTold) {
  const Watch watch;
  EXPECT_FALSE(watch.stop_requested());
  EXPECT_NO_THROW(watch.check());
  EXPECT_EQ(watch.reason(), "");
  const WatchedTask nobody_looks(watch, "working", 3);
  EXPECT_TRUE(watch.activities().empty());
}

TEST(Watch, AStopIsRememberedWithItsReason) {
  bool stop = false;
  const Watch watch([&] { return stop ? "stopped by Ctrl-C" : nullptr; }, 1000);
  const Watch copy = watch;
  EXPECT_FALSE(watch.stop_requested());
  stop = true;
  EXPECT_TRUE(copy.stop_requested());
  stop = false;
  EXPECT_TRUE(watch.stop_requested());
  EXPECT_THROW(watch.check(), Stopped);
  EXPECT_EQ(watch.reason(), "stopped by Ctrl-C");
}

TEST(Watch, ALimitCountsFromTheStartAndSaysSo) {
  const Watch watch(nullptr, 1e-9);
  EXPECT_TRUE(watch.stop_requested());
  EXPECT_EQ(watch.reason(), "the time limit of 1e-09 s was reached");
}

TEST(Watch, ALimitOfItsOwnDoesNotStopTheOthers) {
  bool stop = false;
  const Watch whole = Watch::asking([&] { return stop; });
  EXPECT_TRUE(whole.limited(1e-9).stop_requested());
  EXPECT_FALSE(whole.stop_requested());
  const Watch part = whole.limited(1000);
  EXPECT_FALSE(part.stop_requested());
  stop = true;
  EXPECT_TRUE(part.stop_requested());
  EXPECT_EQ(part.reason(), "stopped by the caller");
}

TEST(Watch, WrappingUpHasAMomentAndNoMore) {
  const Watch watch = Watch::asking([] { return true; });
  EXPECT_TRUE(watch.must_stop());
  {
    const WrapUp wrap_up(watch);
    EXPECT_TRUE(watch.stop_requested()) << "loops end all the same";
    EXPECT_FALSE(watch.must_stop());
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    EXPECT_TRUE(watch.must_stop());
  }
  EXPECT_TRUE(watch.must_stop());
}

TEST(Watch, AParallelLoopThatLeftSomethingOutThrowsAtItsEnd) {
  const Watch watch = Watch::asking([] { return true; });
  StopCheck stop(watch);
  std::atomic<int> done = 0;
  parallel_for(8, 4, kWorthAThread, [&](Index begin, Index end) {
    for (Index k = begin; k < end && !stop.skip(); ++k) ++done;
  });
  EXPECT_EQ(done, 0);
  const WrapUp later(watch);  // does not make good what was left out
  EXPECT_THROW(stop.finish(), Stopped);
}

TEST(Watch, TasksAreShownWhileTheyLive) {
  const Watch watch(nullptr);
  WatchedTask outer(watch, "fold", 5);
  outer.advance(2);
  {
    WatchedTask inner(watch.limited(1000), "training");
    inner.tell("step 3", 0.5);
    const auto shown = watch.activities();
    ASSERT_EQ(shown.size(), 2U);
    EXPECT_EQ(shown[0].what, "fold");
    EXPECT_EQ(shown[0].done, 2);
    EXPECT_EQ(shown[0].total, 5);
    EXPECT_EQ(shown[1].note, "step 3");
  }
  EXPECT_EQ(watch.activities().size(), 1U);
}

}  // namespace
}  // namespace spicymkl
