// Processes that work together, the ranks: what spreading a bank asks of MPI, or of whatever else connects them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace spicymkl {

using Bytes = std::vector<std::byte>;

/// Five functions make a communicator. All ranks call the collective ones, broadcast, allreduce, barrier and what
/// follows from them, in the same order; one thread at a time.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The bytes of rank `from` take the place of those of the others, which are as many.
  virtual void broadcast(std::span<std::byte> bytes, int from) = 0;
  /// Every rank has as many numbers, and gets their sums over the ranks. The same bits on all ranks, and in every run.
  virtual void allreduce(std::span<double> numbers) = 0;
  virtual void barrier() = 0;

  // What follows from these. A communicator overrides what it does better.

  /// The sums for rank 0 alone; what the others have afterwards is of no use.
  virtual void reduce(std::span<double> numbers) { allreduce(numbers); }
  /// What each rank has, in their order, for rank 0; nothing for the others.
  virtual std::vector<Bytes> gather(std::span<const std::byte> mine);

  // What a communicator may do beside that. Without it work that is to be given up goes on to its end.

  /// Rank 0 tells the others, while they work, that the operation with this number is not wanted any more.
  virtual void call_off(std::int64_t /*operation*/) {}
  /// The last number that was called off; 0: none. Asked many times a second.
  virtual std::int64_t called_off() { return 0; }
  /// Called now and then by a rank that waits for others. An empty one for none.
  virtual void while_waiting(std::function<void()> /*look*/) {}
  /// Ends the processes of all ranks at once, where they cannot be brought to an orderly end.
  [[noreturn]] virtual void abort(int status);
};

/// One process alone.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void broadcast(std::span<std::byte>, int) override {}
  void allreduce(std::span<double>) override {}
  void barrier() override {}
};

}  // namespace spicymkl
