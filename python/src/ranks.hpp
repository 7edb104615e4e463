// Ranks that Python connects: what a fit over many processes asks of mpi4py.
#pragma once

#include <nanobind/nanobind.h>

#include "spicymkl/distributed/team.hpp"

namespace spicymkl::python {

namespace nb = nanobind;

/// The five functions of a communicator, as methods of an object of spicymkl._ranks.
class PythonCommunicator final : public Communicator {
 public:
  explicit PythonCommunicator(nb::object ranks);
  ~PythonCommunicator() override;
  PythonCommunicator(const PythonCommunicator&) = delete;
  PythonCommunicator& operator=(const PythonCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<std::byte> bytes, int from) override;
  void allreduce(std::span<double> numbers) override;
  void barrier() override;

 private:
  nb::object ranks_;
  int rank_, size_;
};

/// A team, and the communicator that it needs.
struct PythonTeam {
  explicit PythonTeam(nb::object ranks) : communicator(std::move(ranks)), team(std::make_shared<Team>(communicator)) {}

  PythonCommunicator communicator;
  std::shared_ptr<Team> team;
};

void bind_ranks(nb::module_& module);

}  // namespace spicymkl::python
