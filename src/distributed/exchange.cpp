#include "exchange.hpp"

#include <fmt/format.h>

#include <new>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

Outcome attempt(const std::function<Answer()>& work) {
  const auto fault = [](Outcome::Fate fate, std::string why) {
    return Outcome{{}, fate, std::move(why), std::current_exception()};
  };
  try {
    return {work(), Outcome::Fate::done, "", nullptr};
  } catch (const Stopped&) {
    return fault(Outcome::Fate::stopped, "");
  } catch (const std::bad_alloc&) {
    return fault(Outcome::Fate::failed,
                 "not enough memory for its part of the kernels; give less --memory, or more machines");
  } catch (const std::exception& error) {
    return fault(Outcome::Fate::failed, error.what());
  }
}

namespace {

/// The numbers of failures and of stops over all ranks.
std::pair<double, double> fates(Communicator& ranks, const Outcome& outcome) {
  double counts[2] = {outcome.fate == Outcome::Fate::failed ? 1.0 : 0.0,
                      outcome.fate == Outcome::Fate::stopped ? 1.0 : 0.0};
  ranks.allreduce(counts);
  return {counts[0], counts[1]};
}

std::exception_ptr first_failure(Communicator& ranks, const Outcome& outcome) {
  const std::vector<Bytes> reasons = ranks.gather(std::as_bytes(std::span(outcome.why.data(), outcome.why.size())));
  if (outcome.fate == Outcome::Fate::failed) return outcome.original;
  for (std::size_t rank = 0; rank < reasons.size(); ++rank) {
    const std::string why(reinterpret_cast<const char*>(reasons[rank].data()), reasons[rank].size());
    if (!why.empty()) return std::make_exception_ptr(InputError(fmt::format("rank {}: {}", rank, why)));
  }
  return nullptr;
}

std::vector<Answer> side_by_side(Communicator& ranks, Answer mine) {
  Writer out;
  if (ranks.rank() != 0) {  // rank 0 has its own answer already
    out.put(mine.numbers);
    out.put(mine.text);
  }
  std::vector<Answer> answers;
  for (const Bytes& bytes : ranks.gather(out.bytes())) {
    if (answers.empty()) {
      answers.push_back(std::move(mine));
      continue;
    }
    Reader in(bytes);
    Matrix numbers = in.matrix();
    answers.push_back({std::move(numbers), in.text()});
  }
  return answers;
}

}  // namespace

Conclusion conclude(Communicator& ranks, Outcome outcome, bool summed) {
  const auto [failed, stopped] = fates(ranks, outcome);
  if (failed > 0) return {{}, first_failure(ranks, outcome)};
  if (stopped > 0) return {{}, std::make_exception_ptr(Stopped())};
  if (!summed) return {side_by_side(ranks, std::move(outcome.answer)), nullptr};
  ranks.reduce({outcome.answer.numbers.data(), static_cast<std::size_t>(outcome.answer.numbers.size())});
  return {{std::move(outcome.answer)}, nullptr};
}

}  // namespace spicymkl
