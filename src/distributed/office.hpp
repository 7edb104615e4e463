// What rank 0 asks of all ranks, one operation after the other.
#pragma once

#include <atomic>
#include <mutex>

#include "desk.hpp"
#include "spicymkl/distributed/team.hpp"

namespace spicymkl {

class RemoteNumber;

/// What ranks know of the machines that they are on.
struct Machines {
  double free_memory = 0;  ///< for each rank; see Team::free_memory
  int ranks_with_0 = 1;    ///< on the machine of rank 0, itself included
};

/// Messages begin with an action, and numbers of what need not be kept any more. Threads may ask at the same time; they
/// wait for one another.
class Team::Office {
 public:
  explicit Office(Communicator& ranks);

  int size() const { return ranks_.size(); }
  double free_memory() const { return machines_.free_memory; }
  /// For what rank 0 does while all others wait: its own threads and those of the ranks beside it, as many as there are
  /// cores for.
  int lone_threads(int threads) const;

  /// Every rank does its part: rank 0 `mine`, the others what the action and the body say. The answers of all, in the
  /// order of ranks, or one with their sum. What goes wrong is thrown; Stopped when the watch says so.
  std::vector<Answer> perform(Action action, const Bytes& body, const Watch& watch,
                              const std::function<Answer()>& mine);
  void end(int status);

  /// A number for something that followers keep.
  Index new_number() { return ++last_number_; }
  /// With the next operation.
  void release(Index number);
  /// The number of samples that followers have; null: they have not.
  std::shared_ptr<RemoteNumber> known(const std::shared_ptr<const Samples>& samples);
  /// From now on they have them, as long as the number lives.
  void remember(const std::shared_ptr<const Samples>& samples, const std::shared_ptr<RemoteNumber>& number);

 private:
  Bytes envelope(Action action, const Bytes& body);
  void send(const Bytes& message);
  void call_off();

  Communicator& ranks_;
  std::mutex working_;  // held during an operation
  std::mutex noting_;   // of what follows
  std::vector<Index> released_;
  std::weak_ptr<const Samples> sent_;
  std::weak_ptr<RemoteNumber> sent_number_;
  std::atomic<Index> last_number_ = 0;
  std::int64_t operation_ = 0;
  bool called_off_ = false;
  bool in_exchange_ = false;  // else all ranks wait for the next message
  bool ended_ = false;
  const Watch* watch_ = nullptr;  // of the operation
  Machines machines_;
};

/// A number that followers keep something by, until it is not needed here any more.
class RemoteNumber {
 public:
  explicit RemoteNumber(std::shared_ptr<Team> team) : team_(std::move(team)), number_(team_->office().new_number()) {}
  ~RemoteNumber() { team_->office().release(number_); }
  RemoteNumber(const RemoteNumber&) = delete;
  RemoteNumber& operator=(const RemoteNumber&) = delete;
  Index number() const { return number_; }

 private:
  std::shared_ptr<Team> team_;
  Index number_;
};

/// A message of any length: of a few kilobytes in one go, else in two.
void send_message(Communicator& ranks, const Bytes& message);
Bytes receive_message(Communicator& ranks);

/// Every rank calls it.
Machines agree_on_machines(Communicator& ranks);

/// The size and checksum of a file, of a large one those of its two ends; empty for what is no plain file.
std::string file_mark(const std::string& path);
/// Throws InputError where a file of this name is here and has another mark.
void compare_marks(const std::vector<std::string>& paths, const std::vector<std::string>& marks);

}  // namespace spicymkl
