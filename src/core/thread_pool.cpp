#include "thread_pool.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

namespace spicymkl {

namespace {

/// Several times what waking a thread takes, and little beside a slice of time on a busy machine.
constexpr std::chrono::microseconds kAwake{100};

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// libgomp ends the program where it finds no memory for what it keeps of a thread, and two threads that end it at once
/// crash: a thread without memory is better not there. Those who have work do not wait for it.
bool has_memory() {
  constexpr std::size_t kPlenty = 4096;
  void* volatile const room = std::malloc(kPlenty);  // volatile: else the compiler leaves it out
  std::free(room);
  return room != nullptr;
}

/// Waits awake until `ready`, but not for long.
template <class Ready>
void linger(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + kAwake;
  while (!ready() && std::chrono::steady_clock::now() < end) pause_briefly();
}

}  // namespace

/// Lives on the stack of its caller, who takes it out of the list and waits for its helpers before it goes.
struct ThreadPool::Job {
  explicit Job(const PartedWork& all, int threads) : work(all), places(threads - 1) {}

  void take_parts() {
    for (Index part = next++; part < work.parts; part = next++) work.run(work.context, part);
  }
  bool has_room() const { return places > 0 && next < work.parts; }

  PartedWork work;
  std::atomic<Index> next = 0;
  std::atomic<int> helpers = 0;  // changed under the mutex
  int places;                    // for further helpers
  Job* older = nullptr;
};

ThreadPool& ThreadPool::instance() {
  static ThreadPool* const pool = new ThreadPool;
  return *pool;
}

void ThreadPool::run(const PartedWork& work, int threads) {
  Job job(work, static_cast<int>(std::min<Index>(threads, work.parts)));
  int to_wake = 0;
  {
    const std::scoped_lock lock(mutex_);
    start_threads(job.places);
    job.older = newest_;
    newest_ = &job;
    ++arrivals_;
    to_wake = std::min(job.places, asleep_);
  }
  for (; to_wake > 0; --to_wake) arrived_.notify_one();
  job.take_parts();
  wait_for_helpers(job);
}

void ThreadPool::wait_for_helpers(Job& job) {
  {
    const std::scoped_lock lock(mutex_);
    Job** place = &newest_;
    while (*place != &job) place = &(*place)->older;
    *place = job.older;
  }
  linger([&] { return job.helpers == 0; });
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [&] { return job.helpers == 0; });
}

void ThreadPool::start_threads(int wanted) {
  while (started_ < wanted && !refused_) {
    try {
      std::thread([this] { live(); }).detach();
      ++started_;
    } catch (const std::exception&) {  // no room for another, or no memory
      refused_ = true;
    }
  }
}

ThreadPool::Job* ThreadPool::next_job() {
  for (Job* job = newest_; job != nullptr; job = job->older)
    if (job->has_room()) return job;
  return nullptr;
}

void ThreadPool::leave(Job& job) {
  bool last = false;
  {
    const std::scoped_lock lock(mutex_);
    ++job.places;
    last = --job.helpers == 0;  // from here on the job may be gone
  }
  if (last) finished_.notify_all();
}

void ThreadPool::live() {
  if (!has_memory()) return;
  omp_set_num_threads(1);  // BLAS inside a part runs on the part's thread
  while (true) {
    const Index seen = arrivals_;
    std::unique_lock lock(mutex_);
    if (Job* job = next_job()) {
      --job->places;
      ++job->helpers;
      lock.unlock();
      job->take_parts();
      leave(*job);
      continue;
    }
    lock.unlock();
    linger([&] { return arrivals_ != seen; });
    lock.lock();
    if (arrivals_ != seen) continue;
    ++asleep_;
    arrived_.wait(lock, [&] { return arrivals_ != seen; });
    --asleep_;
  }
}

}  // namespace spicymkl
