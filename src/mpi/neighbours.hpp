// The ranks on this machine: they share its cores, and notice when one of them is gone.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "spicymkl/distributed/communicator.hpp"

namespace spicymkl {

/// A process on this machine.
struct Neighbour {
  int rank = 0;
  pid_t process = 0;
};

/// Those of all ranks that are here, this one included, in their order. Every rank calls it.
std::vector<Neighbour> neighbours_of(Communicator& ranks);

/// Where nobody has done so, binds this process to its share of the cores, so that the ranks of a machine do not get in
/// one another's way. Rank 0 keeps all of them, though its threads are by default as many as its share: where the
/// others wait for it, it uses theirs.
void share_cores(const std::vector<Neighbour>& here, int rank);

/// While it lives, the end of a neighbour ends this process within a fraction of a second, with status 2: nothing can
/// be learned without the kernels of that rank. One of those that are left says so.
class NeighbourWatch {
 public:
  NeighbourWatch(std::vector<Neighbour> here, int rank);
  ~NeighbourWatch();
  NeighbourWatch(const NeighbourWatch&) = delete;
  NeighbourWatch& operator=(const NeighbourWatch&) = delete;

 private:
  void watch();

  std::vector<Neighbour> here_;
  int rank_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace spicymkl
