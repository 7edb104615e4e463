// Ranks connected by MPI.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "spicymkl/distributed/communicator.hpp"

namespace spicymkl {

/// MPI must have been begun, with MPI_THREAD_SERIALIZED at least. Small messages are waited for without holding a core:
/// a rank that has nothing to do leaves its core to those that have.
class MpiCommunicator final : public Communicator {
 public:
  /// A copy of `base`, so that nobody else's messages are met.
  explicit MpiCommunicator(MPI_Comm base = MPI_COMM_WORLD);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<std::byte> bytes, int from) override;
  void allreduce(std::span<double> numbers) override;
  void barrier() override;
  void reduce(std::span<double> numbers) override;
  std::vector<Bytes> gather(std::span<const std::byte> mine) override;
  void call_off(std::int64_t operation) override;
  std::int64_t called_off() override;
  void while_waiting(std::function<void()> look) override { look_ = std::move(look); }
  [[noreturn]] void abort(int status) override;

 private:
  void wait(MPI_Request request);

  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  std::function<void()> look_;
  std::atomic<std::int64_t> called_off_ = 0;
  std::thread::id caller_;  // of the last operation: only this thread may ask for messages
  std::chrono::steady_clock::time_point asked_;
};

}  // namespace spicymkl
