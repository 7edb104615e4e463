// The command spicymkl-mpi: rank 0 is the command, with its banks spread over all ranks.
#include <mpi.h>

#include <unistd.h>

#include <csignal>

#include "cli/command_main.hpp"
#include "cli/last_words.hpp"
#include "cli/ranks.hpp"
#include "mpi_communicator.hpp"
#include "neighbours.hpp"

namespace {

using namespace spicymkl;

/// The number of ranks that were started with other arguments.
int strangers(Communicator& ranks, int argc, char** argv) {
  std::string all;
  for (int k = 1; k < argc; ++k) all += std::string(argv[k]) + '\n';
  std::string first(4096, '\0');
  std::copy_n(all.begin(), std::min(all.size(), first.size()), first.begin());
  std::string theirs = first;
  ranks.broadcast(std::as_writable_bytes(std::span(theirs)), 0);
  double different = theirs == first ? 0 : 1;
  ranks.allreduce({&different, 1});
  return static_cast<int>(different);
}

int lead(Communicator& ranks, int argc, char** argv) {
  const auto team = std::make_shared<Team>(ranks);
  cli::work_with(team);
  const int status = cli::command_main(argc, argv);
  team->end(status);
  return status;
}

/// Rank 0 decides when to stop, says what there is to say, and has the status: mpirun takes any status but 0 of another
/// rank for an accident, and what rank 0 has printed may then be lost.
int help(Communicator& ranks) {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  try {
    follow(ranks);
    return 0;
  } catch (const std::exception&) {
    ::_exit(2);  // in the middle of an exchange: the neighbours notice and say so
  }
}

int run(int argc, char** argv) {
  MpiCommunicator ranks;
  const std::vector<Neighbour> here = neighbours_of(ranks);
  share_cores(here, ranks.rank());
  const NeighbourWatch watch(here, ranks.rank());
  if (const int different = strangers(ranks, argc, argv); different > 0) {
    if (ranks.rank() == 0) cli::say_plainly("ranks were started with different options: give all of them the same");
    ranks.barrier();
    return ranks.rank() == 0 ? 2 : 0;
  }
  const int status = ranks.rank() == 0 ? lead(ranks, argc, argv) : help(ranks);
  ranks.barrier();  // nobody takes an orderly end for a loss
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  if (level < MPI_THREAD_SERIALIZED) {
    cli::say_plainly("this MPI does not allow threads; use one that was built with MPI_THREAD_SERIALIZED");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int status = run(argc, argv);
  MPI_Finalize();
  return status;
}
