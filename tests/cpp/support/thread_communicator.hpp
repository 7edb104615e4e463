// Ranks that are threads of one process: teams are tested without MPI.
#pragma once

#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#include "spicymkl/distributed/team.hpp"

namespace spicymkl::testing_support {

/// What the ranks share.
struct ThreadRanks {
  explicit ThreadRanks(int count) : size(count), meeting(count), numbers(count) {}
  int size;
  std::barrier<> meeting;
  std::span<std::byte> sent;
  std::vector<std::span<double>> numbers;
  std::atomic<std::int64_t> called_off = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(ThreadRanks& ranks, int rank) : ranks_(ranks), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return ranks_.size; }
  void broadcast(std::span<std::byte> bytes, int from) override {
    if (rank_ == from) ranks_.sent = bytes;
    barrier();
    if (rank_ != from) std::copy(ranks_.sent.begin(), ranks_.sent.end(), bytes.begin());
    barrier();
  }
  void allreduce(std::span<double> numbers) override {
    ranks_.numbers[rank_] = numbers;
    barrier();
    std::vector<double> sums(numbers.size(), 0.0);
    for (const auto& part : ranks_.numbers)
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += part[k];
    barrier();
    std::copy(sums.begin(), sums.end(), numbers.begin());
  }
  void barrier() override { ranks_.meeting.arrive_and_wait(); }
  void call_off(std::int64_t operation) override { ranks_.called_off = operation; }
  std::int64_t called_off() override { return ranks_.called_off; }

 private:
  ThreadRanks& ranks_;
  int rank_;
};

/// A team of this thread and others, which follow until it goes.
class ThreadTeam {
 public:
  explicit ThreadTeam(int size) : ranks_(size), mine_(ranks_, 0) {
    for (int rank = 1; rank < size; ++rank)
      followers_.emplace_back([this, rank] {
        ThreadCommunicator theirs(ranks_, rank);
        statuses_[rank] = follow(theirs);
      });
    team_ = std::make_shared<Team>(mine_);
  }
  ~ThreadTeam() { end(0); }
  const std::shared_ptr<Team>& team() const { return team_; }
  void end(int status) {
    team_->end(status);
    for (std::thread& follower : followers_)
      if (follower.joinable()) follower.join();
  }
  int status(int rank) const { return statuses_[rank]; }

 private:
  ThreadRanks ranks_;
  ThreadCommunicator mine_;
  int statuses_[16] = {};
  std::vector<std::thread> followers_;
  std::shared_ptr<Team> team_;
};

}  // namespace spicymkl::testing_support
