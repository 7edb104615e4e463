// The other ranks of spicymkl-mpi; none in spicymkl.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/distributed/team.hpp"

namespace spicymkl::cli {

/// At the start of the program: banks are spread over this team. The third and last thing that is global, beside
/// signals and registered solvers: which processes there are is known before any command is.
void work_with(std::shared_ptr<Team> team);

/// How many processes there are, this one included.
int n_ranks();

/// Where banks are made; null: in this process.
std::shared_ptr<const BankMaker> bank_maker();

/// Files that are read: a rank that has another file by such a name is an InputError.
void compare_over_ranks(const std::vector<std::string>& inputs);

}  // namespace spicymkl::cli
