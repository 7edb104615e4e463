#include "exchange.hpp"

#include <fmt/format.h>

#include <new>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

Outcome attempt(const std::function<Answer()>& work) {
  Outcome outcome;
  try {
    outcome.answer = work();
    return outcome;
  } catch (const Stopped&) {
    outcome.fate = Outcome::Fate::stopped;
  } catch (const std::bad_alloc&) {
    outcome.fate = Outcome::Fate::failed;
    outcome.why = "not enough memory for its part of the kernels; give less --memory, or more machines";
  } catch (const std::exception& error) {
    outcome.fate = Outcome::Fate::failed;
    outcome.why = error.what();
  }
  outcome.original = std::current_exception();
  return outcome;
}

namespace {

/// The numbers of failures and of stops over all ranks.
std::pair<double, double> fates(Communicator& ranks, const Outcome& outcome) {
  double counts[2] = {outcome.fate == Outcome::Fate::failed ? 1.0 : 0.0,
                      outcome.fate == Outcome::Fate::stopped ? 1.0 : 0.0};
  ranks.allreduce(counts);
  return {counts[0], counts[1]};
}

void throw_first_failure(Communicator& ranks, const Outcome& outcome) {
  const std::vector<Bytes> reasons = ranks.gather(std::as_bytes(std::span(outcome.why.data(), outcome.why.size())));
  if (ranks.rank() != 0) return;
  if (outcome.fate == Outcome::Fate::failed) std::rethrow_exception(outcome.original);
  for (std::size_t rank = 0; rank < reasons.size(); ++rank)
    if (!reasons[rank].empty())
      throw InputError(fmt::format(
          "rank {}: {}", rank, std::string(reinterpret_cast<const char*>(reasons[rank].data()), reasons[rank].size())));
  throw std::runtime_error("a rank failed without a reason");
}

}  // namespace

std::vector<Answer> conclude(Communicator& ranks, Outcome outcome, bool summed) {
  const auto [failed, stopped] = fates(ranks, outcome);
  if (failed > 0) {
    throw_first_failure(ranks, outcome);
    return {};
  }
  if (stopped > 0) {
    if (ranks.rank() == 0) throw Stopped();
    return {};
  }
  std::vector<Answer> answers;
  if (summed) {
    ranks.reduce({outcome.answer.numbers.data(), static_cast<std::size_t>(outcome.answer.numbers.size())});
    if (ranks.rank() == 0) answers.push_back(std::move(outcome.answer));
    return answers;
  }
  Writer mine;
  if (ranks.rank() != 0) {  // rank 0 has its own answer already
    mine.put(outcome.answer.numbers);
    mine.put(outcome.answer.text);
  }
  const std::vector<Bytes> all = ranks.gather(mine.bytes());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank == 0) {
      answers.push_back(std::move(outcome.answer));
      continue;
    }
    Reader in(all[rank]);
    answers.push_back({in.matrix(), in.text()});
  }
  return answers;
}

}  // namespace spicymkl
