#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <system_error>

#include "core/wording.hpp"

namespace spicymkl::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kFrame = 50ms;          // on a terminal
constexpr auto kBetweenLines = 10s;    // elsewhere
constexpr std::size_t kBarWidth = 20;  // characters

/// Of all the work, when the parts that are shown lie inside each other.
double share_of(const std::vector<Activity>& activities) {
  double share = 0;
  for (auto a = activities.rbegin(); a != activities.rend(); ++a) {
    if (!a->note.empty()) share = a->share;
    else if (a->total > 0) share = (static_cast<double>(a->done) + share) / static_cast<double>(a->total);
    share = std::clamp(share, 0.0, 1.0);
  }
  return share;
}

std::string detail_of(const Activity& activity) {
  if (!activity.note.empty()) return activity.note;
  return activity.total > 0 ? fmt::format("{} of {}", activity.done, activity.total) : "";
}

std::string words_of(const Activity& activity) {
  const std::string detail = detail_of(activity);
  return detail.empty() ? activity.what : fmt::format("{} {}", activity.what, detail);
}

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return 79;
  return size.ws_col - 1;  // a full line would wrap
}

bool knows_ansi() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

void put(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_words(const std::vector<Activity>& activities) {
  std::string text;
  for (const Activity& activity : activities) text += (text.empty() ? "" : "; ") + words_of(activity);
  return text;
}

std::string progress_line(const std::vector<Activity>& activities, double seconds, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share_of(activities) * kBarWidth);
  std::string line = fmt::format("{} [{}{}] {}", activities.front().what, std::string(filled, '#'),
                                 std::string(kBarWidth - filled, '.'), detail_of(activities.front()));
  for (std::size_t k = 1; k < activities.size(); ++k)
    line += (line.ends_with(' ') ? "" : "; ") + words_of(activities[k]);
  line += fmt::format("  {:.0f} s", seconds);
  if (line.size() > width) line.resize(width);
  return line;
}

Progress::Progress(Watch watch, bool quiet) : watch_(std::move(watch)) {
  if (quiet) return;
  const auto follow = [this] {
    try {
      std::unique_lock lock(mutex_);
      if (::isatty(STDERR_FILENO) != 0) follow_on_terminal(lock);
      else follow_plainly(lock);
    } catch (const std::bad_alloc&) {  // the work itself may have enough
    }
  };
  try {
    thread_ = std::thread(follow);
  } catch (const std::system_error&) {  // no thread can be started: nothing is shown
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Progress::follow_on_terminal(std::unique_lock<std::mutex>& lock) {
  const bool ansi = knows_ansi();
  std::string shown;
  while (!over_) {
    const std::vector<Activity> activities = watch_.activities();
    const std::string line = activities.empty() ? shown : progress_line(activities, watch_.seconds(), terminal_width());
    if (line != shown) {
      const std::size_t rest = shown.size() > line.size() ? shown.size() - line.size() : 0;
      put(ansi ? "\r\x1b[K" + line : "\r" + line + std::string(rest, ' '));
    }
    shown = line;
    changed_.wait_for(lock, kFrame, [&] { return over_; });
  }
  if (!shown.empty()) put("\n");
}

void Progress::follow_plainly(std::unique_lock<std::mutex>& lock) {
  while (!changed_.wait_for(lock, kBetweenLines, [&] { return over_; })) {
    const std::string words = progress_words(watch_.activities());
    if (!words.empty()) put(fmt::format("spicymkl: {:.0f} s: {}\n", watch_.seconds(), words));
  }
}

FitProgress training_progress(const Watch& watch, const Target& target, double tol) {
  struct Shown {
    Index number;
    std::unique_ptr<WatchedTask> task;
  };
  const char* kind = target.has_several() ? "target" : "class";
  const auto task_of = [watch, kind, n_fits = target.n_fits()](Index number) {
    return std::make_unique<WatchedTask>(
        watch, n_fits == 1 ? "training" : fmt::format("{} {} of {}", kind, number + 1, n_fits));
  };
  return [task_of, tol, shown = std::make_shared<Shown>(Shown{0, task_of(0)})](Index number, const Record& record) {
    if (number != shown->number) {
      shown->task = task_of(number);
      shown->number = number;
    }
    // The bar runs from gap 1 to the tolerance on a log scale.
    shown->task->tell(fmt::format("step {:>3}  gap {:7.1e}  {}", record.iteration, record.gap,
                                  counted(record.n_active, "active kernel")),
                      std::log(std::max(record.gap, 1e-300)) / std::log(tol));
    return true;
  };
}

}  // namespace spicymkl::cli
