#include "spicymkl/core/watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <mutex>

namespace spicymkl {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGrace = std::chrono::milliseconds(800);  // for wrapping up: with what follows, an end within 2 s

}  // namespace

/// The activities of all watches that were made from one.
struct Board {
  std::mutex mutex;
  std::list<std::shared_ptr<Activity>> activities;
};

struct Watch::State {
  Question question;
  bool obeys = false;  // asks anew every time
  double max_seconds = 0;
  Clock::time_point start = Clock::now();
  std::shared_ptr<State> parent;  // of a watch with a limit of its own; null
  std::shared_ptr<Board> board = std::make_shared<Board>();

  std::atomic<bool> stopped = false;
  std::atomic<int> wrapping = 0;
  std::mutex mutex;           // of what follows
  std::string reason;         // set once
  Clock::time_point stop_at;  // set once

  void stop(std::string why) {
    const std::lock_guard lock(mutex);
    if (stopped) return;
    reason = std::move(why);
    stop_at = Clock::now();
    stopped = true;
  }

  bool ask() {
    if (obeys) return question() != nullptr;
    if (stopped) return true;
    if (parent && parent->ask()) stop(parent->reason);
    else if (const char* why = question ? question() : nullptr) stop(why);
    else if (max_seconds > 0 && std::chrono::duration<double>(Clock::now() - start).count() >= max_seconds)
      stop(fmt::format("the time limit of {:g} s was reached", max_seconds));
    return stopped;
  }

  bool must_stop() {
    if (!ask()) return false;
    return obeys || wrapping == 0 || Clock::now() >= stop_at + kGrace;  // stop_at is not written again
  }
};

struct WatchedTask::Entry {
  std::shared_ptr<Board> board;
  std::list<std::shared_ptr<Activity>>::iterator place;
  std::shared_ptr<Activity> activity;
};

Watch::Watch(Question question, double max_seconds) : state_(std::make_shared<State>()) {
  state_->question = std::move(question);
  state_->max_seconds = max_seconds;
}

Watch Watch::asking(std::function<bool()> stop) {
  return Watch([stop = std::move(stop)] { return stop() ? "stopped by the caller" : nullptr; });
}

Watch Watch::obeying(std::function<bool()> stop) {
  Watch watch = asking(std::move(stop));
  watch.state_->obeys = true;
  return watch;
}

Watch Watch::limited(double max_seconds) const {
  if (max_seconds == 0) return *this;
  Watch watch(nullptr, max_seconds);
  watch.state_->parent = state_;
  if (state_) watch.state_->board = state_->board;
  return watch;
}

bool Watch::stop_requested() const { return state_ && state_->ask(); }

bool Watch::must_stop() const { return state_ && state_->must_stop(); }

std::string Watch::reason() const {
  if (!stop_requested()) return "";
  const std::lock_guard lock(state_->mutex);
  return state_->reason;
}

double Watch::seconds() const {
  return state_ ? std::chrono::duration<double>(Clock::now() - state_->start).count() : 0;
}

WrapUp::WrapUp(const Watch& watch) : watch_(watch) {
  for (auto state = watch_.state_; state; state = state->parent) ++state->wrapping;
}

WrapUp::~WrapUp() {
  for (auto state = watch_.state_; state; state = state->parent) --state->wrapping;
}

WatchedTask::WatchedTask(const Watch& watch, std::string what, Index total) {
  if (!watch.state_) return;
  const std::shared_ptr<Board>& board = watch.state_->board;
  auto activity = std::make_shared<Activity>(Activity{std::move(what), 0, total, 0, ""});
  const std::lock_guard lock(board->mutex);
  board->activities.push_back(activity);
  entry_.reset(new Entry{board, std::prev(board->activities.end()), std::move(activity)});
}

WatchedTask::~WatchedTask() {
  if (!entry_) return;
  const std::lock_guard lock(entry_->board->mutex);
  entry_->board->activities.erase(entry_->place);
}

void WatchedTask::advance(Index count) {
  if (!entry_) return;
  const std::lock_guard lock(entry_->board->mutex);
  Activity& activity = *entry_->activity;
  activity.done += count;
  activity.share = static_cast<double>(activity.done) / static_cast<double>(std::max<Index>(activity.total, 1));
}

void WatchedTask::set(Index done) {
  if (!entry_) return;
  const std::lock_guard lock(entry_->board->mutex);
  Activity& activity = *entry_->activity;
  activity.done = done;
  activity.share = static_cast<double>(done) / static_cast<double>(std::max<Index>(activity.total, 1));
}

void WatchedTask::tell(std::string note, double share) {
  if (!entry_) return;
  const std::lock_guard lock(entry_->board->mutex);
  entry_->activity->note = std::move(note);
  entry_->activity->share = share;
}

std::vector<Activity> Watch::activities() const {
  std::vector<Activity> all;
  if (!state_) return all;
  const std::lock_guard lock(state_->board->mutex);
  for (const auto& activity : state_->board->activities) all.push_back(*activity);
  return all;
}

}  // namespace spicymkl
