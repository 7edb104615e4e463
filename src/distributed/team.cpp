#include "spicymkl/distributed/team.hpp"

#include <omp.h>

#include <algorithm>

#include "office.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kEnvelope = 4096;  // bytes of a first message, whose first eight are the length of the whole

}  // namespace

void send_message(Communicator& ranks, const Bytes& message) {
  Bytes first(kEnvelope);
  const std::uint64_t length = message.size();
  std::memcpy(first.data(), &length, sizeof(length));
  const std::size_t head = std::min(message.size(), kEnvelope - sizeof(length));
  std::copy_n(message.begin(), head, first.begin() + sizeof(length));
  ranks.broadcast(first, 0);
  if (head == message.size()) return;
  Bytes rest(message.begin() + static_cast<std::ptrdiff_t>(head), message.end());
  ranks.broadcast(rest, 0);
}

Bytes receive_message(Communicator& ranks) {
  Bytes first(kEnvelope);
  ranks.broadcast(first, 0);
  std::uint64_t length = 0;
  std::memcpy(&length, first.data(), sizeof(length));
  const std::size_t head = std::min<std::size_t>(length, kEnvelope - sizeof(length));
  Bytes message(length);
  std::copy_n(first.begin() + sizeof(length), head, message.begin());
  if (head < length) ranks.broadcast(std::span(message).subspan(head), 0);
  return message;
}

Team::Office::Office(Communicator& ranks) : ranks_(ranks), machines_(agree_on_machines(ranks)) {
  ranks_.while_waiting([this] {
    if (watch_ != nullptr && watch_->must_stop()) call_off();
  });
}

int Team::Office::lone_threads(int threads) const {
  return std::max(threads, std::min(threads * machines_.ranks_with_0, omp_get_num_procs()));
}

void Team::Office::call_off() {
  if (called_off_) return;
  called_off_ = true;
  ranks_.call_off(operation_);
}

void Team::Office::release(Index number) {
  const std::scoped_lock lock(noting_);
  released_.push_back(number);
}

Bytes Team::Office::envelope(Action action, const Bytes& body) {
  Writer message;
  message.put(action);
  {
    const std::scoped_lock lock(noting_);
    message.put(released_);
    released_.clear();
  }
  Bytes bytes = message.take();
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

std::vector<Answer> Team::Office::perform(Action action, const Bytes& body, const Watch& watch,
                                          const std::function<Answer()>& mine) {
  const std::scoped_lock lock(working_);
  if (ended_ || in_exchange_) throw InputError("the ranks of this bank have ended");
  watch.check();
  const Bytes message = envelope(action, body);
  in_exchange_ = true;
  ++operation_;
  called_off_ = false;
  watch_ = &watch;
  send_message(ranks_, message);
  Outcome outcome = attempt(mine);
  if (outcome.fate != Outcome::Fate::done) call_off();
  Conclusion conclusion = conclude(ranks_, std::move(outcome), is_summed(action));
  in_exchange_ = false;
  watch_ = nullptr;
  if (conclusion.fault) std::rethrow_exception(conclusion.fault);
  return std::move(conclusion.answers);
}

void Team::Office::end(int status) {
  const std::scoped_lock lock(working_);
  if (ended_) return;
  ended_ = true;
  ranks_.while_waiting({});
  if (ranks_.size() == 1) return;
  if (in_exchange_) ranks_.abort(status);
  Writer body;
  body.put(static_cast<std::int32_t>(status));
  send_message(ranks_, envelope(Action::end, body.bytes()));
}

std::shared_ptr<RemoteNumber> Team::Office::known(const std::shared_ptr<const Samples>& samples) {
  const std::scoped_lock lock(noting_);
  return sent_.lock() == samples ? sent_number_.lock() : nullptr;
}

void Team::Office::remember(const std::shared_ptr<const Samples>& samples,
                            const std::shared_ptr<RemoteNumber>& number) {
  const std::scoped_lock lock(noting_);
  sent_ = samples;
  sent_number_ = number;
}

Team::Team(Communicator& ranks) : office_(std::make_unique<Office>(ranks)) {}

Team::~Team() { office_->end(0); }

int Team::size() const { return office_->size(); }

double Team::free_memory() const { return office_->free_memory(); }

void Team::end(int status) { office_->end(status); }

void Team::compare_files(const std::vector<std::string>& paths) {
  std::vector<std::string> marks;
  for (const std::string& path : paths) marks.push_back(file_mark(path));
  Writer body;
  body.put(paths);
  body.put(marks);
  office_->perform(Action::compare_files, body.bytes(), {}, [] { return Answer{}; });
}

}  // namespace spicymkl
