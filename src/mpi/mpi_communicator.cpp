#include "mpi_communicator.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kAwake = 300us;   // that a rank waits at full speed, then
constexpr auto kYielding = 3ms;  // letting others go first, then
constexpr auto kNap = 100us;     // asleep for so long at a time
constexpr auto kBetweenLooks = 20ms;
constexpr auto kBetweenQuestions = 5ms;
constexpr std::size_t kSmall = 8192;    // bytes of a message that is waited for
constexpr std::size_t kChunk = 0x1p28;  // bytes, or numbers, of one call: MPI counts in int
constexpr int kStopTag = 1, kAnswerTag = 2;

template <class Value, class Send>
void in_chunks(std::span<Value> all, const Send& send) {
  for (std::size_t first = 0; first < all.size(); first += kChunk) {
    const auto part = all.subspan(first, std::min(kChunk, all.size() - first));
    send(part.data(), static_cast<int>(part.size()));
  }
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm base) {
  MPI_Comm_dup(base, &ranks_);
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
}

MpiCommunicator::~MpiCommunicator() { MPI_Comm_free(&ranks_); }

void MpiCommunicator::wait(MPI_Request request) {
  caller_ = std::this_thread::get_id();
  const auto start = Clock::now();
  auto looked = start;
  int done = 0;
  for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
    const auto now = Clock::now();
    if (now - start < kAwake) continue;
    if (now - start < kYielding) std::this_thread::yield();
    else std::this_thread::sleep_for(kNap);
    if (now - looked < kBetweenLooks) continue;
    looked = now;
    if (look_) look_();
  }
}

void MpiCommunicator::broadcast(std::span<std::byte> bytes, int from) {
  if (bytes.size() <= kSmall) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, ranks_, &request);
    return wait(request);
  }
  in_chunks(bytes, [&](std::byte* data, int count) { MPI_Bcast(data, count, MPI_BYTE, from, ranks_); });
}

void MpiCommunicator::allreduce(std::span<double> numbers) {
  if (numbers.size_bytes() <= kSmall) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_SUM, ranks_,
                   &request);
    return wait(request);
  }
  in_chunks(numbers,
            [&](double* data, int count) { MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_DOUBLE, MPI_SUM, ranks_); });
}

void MpiCommunicator::barrier() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(ranks_, &request);
  wait(request);
}

void MpiCommunicator::reduce(std::span<double> numbers) {
  in_chunks(numbers, [&](double* data, int count) {
    if (rank_ == 0) MPI_Reduce(MPI_IN_PLACE, data, count, MPI_DOUBLE, MPI_SUM, 0, ranks_);
    else MPI_Reduce(data, nullptr, count, MPI_DOUBLE, MPI_SUM, 0, ranks_);
  });
}

std::vector<Bytes> MpiCommunicator::gather(std::span<const std::byte> mine) {
  std::uint64_t length = mine.size();
  std::vector<std::uint64_t> lengths(rank_ == 0 ? size_ : 0);
  MPI_Gather(&length, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, 0, ranks_);
  if (rank_ != 0) {
    in_chunks(mine, [&](const std::byte* data, int count) { MPI_Send(data, count, MPI_BYTE, 0, kAnswerTag, ranks_); });
    return {};
  }
  std::vector<Bytes> all(size_);
  all[0].assign(mine.begin(), mine.end());
  for (int from = 1; from < size_; ++from) {
    all[from].resize(lengths[from]);
    in_chunks(std::span(all[from]), [&](std::byte* data, int count) {
      MPI_Recv(data, count, MPI_BYTE, from, kAnswerTag, ranks_, MPI_STATUS_IGNORE);
    });
  }
  return all;
}

void MpiCommunicator::call_off(std::int64_t operation) {
  for (int to = 1; to < size_; ++to) MPI_Send(&operation, 1, MPI_INT64_T, to, kStopTag, ranks_);
}

std::int64_t MpiCommunicator::called_off() {
  if (std::this_thread::get_id() != caller_ || Clock::now() - asked_ < kBetweenQuestions) return called_off_;
  asked_ = Clock::now();
  int there = 0;
  for (MPI_Iprobe(0, kStopTag, ranks_, &there, MPI_STATUS_IGNORE); there;
       MPI_Iprobe(0, kStopTag, ranks_, &there, MPI_STATUS_IGNORE)) {
    std::int64_t operation = 0;
    MPI_Recv(&operation, 1, MPI_INT64_T, 0, kStopTag, ranks_, MPI_STATUS_IGNORE);
    called_off_ = std::max(called_off_.load(), operation);
  }
  return called_off_;
}

void MpiCommunicator::abort(int status) {
  MPI_Abort(ranks_, status);
  std::_Exit(status);
}

}  // namespace spicymkl
