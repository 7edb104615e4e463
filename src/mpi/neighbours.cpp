#include "neighbours.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks(50);

/// A number that tells machines apart.
double machine_number() {
  char name[256] = {};
  ::gethostname(name, sizeof(name) - 1);
  std::uint64_t number = 14695981039346656037ULL;  // FNV-1a
  for (const char letter : std::string_view(name))
    number = (number ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  return static_cast<double>(number >> 12);  // a double holds it exactly
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

std::vector<Neighbour> neighbours_of(Communicator& ranks) {
  std::vector<double> all(2 * static_cast<std::size_t>(ranks.size()), 0.0);
  all[2 * ranks.rank()] = machine_number();
  all[2 * ranks.rank() + 1] = static_cast<double>(::getpid());
  ranks.allreduce(all);
  std::vector<Neighbour> here;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto process = static_cast<pid_t>(all[2 * rank + 1]);
    if (all[2 * rank] == machine_number() && !is_gone(process)) here.push_back({rank, process});
  }
  return here;
}

void share_cores(const std::vector<Neighbour>& here, int rank) {
  cpu_set_t mine;
  if (::sched_getaffinity(0, sizeof(mine), &mine) != 0) return;
  const int cores = CPU_COUNT(&mine), count = static_cast<int>(here.size());
  if (count <= 1 || cores < ::sysconf(_SC_NPROCESSORS_ONLN)) return;  // alone, or bound already
  const int place = static_cast<int>(std::ranges::find(here, rank, &Neighbour::rank) - here.begin());
  const int first = count <= cores ? place * cores / count : place % cores;
  const int last = count <= cores ? (place + 1) * cores / count : first + 1;
  cpu_set_t share;
  CPU_ZERO(&share);
  for (int core = 0, seen = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mine)) continue;
    if (seen >= first && seen < last) CPU_SET(core, &share);
    ++seen;
  }
  ::sched_setaffinity(0, sizeof(share), &share);
  available_threads();  // of its share alone, also on rank 0, which may go where the others wait
  if (rank == 0) ::sched_setaffinity(0, sizeof(mine), &mine);
}

NeighbourWatch::NeighbourWatch(std::vector<Neighbour> here, int rank) : here_(std::move(here)), rank_(rank) {
  if (here_.size() > 1) thread_ = std::thread([this] { watch(); });
}

NeighbourWatch::~NeighbourWatch() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void NeighbourWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, kBetweenLooks, [&] { return over_; })) {
    int lost = -1, first_left = -1;
    for (const Neighbour& one : here_) {
      const bool gone = one.rank != rank_ && is_gone(one.process);
      if (gone && lost < 0) lost = one.rank;
      if (!gone && first_left < 0) first_left = one.rank;
    }
    if (lost < 0) continue;
    if (rank_ == first_left) {
      char sentence[200];
      const int length = std::snprintf(sentence, sizeof(sentence),
                                       "spicymkl: rank %d has ended, and its kernels with it, so that all ranks end "
                                       "here; what was written stays: start again, with --resume from a checkpoint\n",
                                       lost);
      [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, sentence, static_cast<std::size_t>(length));
    }
    ::_exit(2);
  }
}

}  // namespace spicymkl
