// Rank 0 leads, the others follow: one program runs, on rank 0, and its banks are spread over the memory and the cores
// of all.
#pragma once

#include <memory>

#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/distributed/communicator.hpp"

namespace spicymkl {

/// On every rank but 0: does what rank 0 asks, until that ends the team; returns the status that it gave. What goes
/// wrong here is thrown there.
int follow(Communicator& ranks);

/// On rank 0. Its banks keep it alive.
class Team {
 public:
  /// The communicator must outlive the team. Work begins with a handshake: all ranks have to be there.
  explicit Team(Communicator& ranks);
  /// Ends the team with status 0, unless that was done.
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const;
  /// Half of the memory that is free, of the rank that has least; ranks on one machine share what it has.
  double free_memory() const;
  /// Throws InputError where a file that a rank finds by the same name is another one than here. A name that is not
  /// there on some rank is all right: only rank 0 reads files.
  void compare_files(const std::vector<std::string>& paths);
  /// The followers return. Nothing may be asked of the team's banks any more.
  void end(int status);

  /// What banks ask of the ranks; see src/distributed.
  class Office;
  Office& office() { return *office_; }

 private:
  std::unique_ptr<Office> office_;
};

/// Banks that are spread over the ranks of a team, for BankOptions::maker: every kernel belongs to one rank, which
/// computes it and keeps it within the memory of the options. Kernels of your own, whose code only this process has,
/// stay on rank 0. With one rank, banks are those of this process. The few kernels of a working set are worked on by
/// rank 0 alone as long as their matrices have fewer entries together than `least_entries` for each of its threads:
/// messages take longer then.
std::shared_ptr<const BankMaker> spread_over(std::shared_ptr<Team> team, double least_entries = 0x1p25);

}  // namespace spicymkl
