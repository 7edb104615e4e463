// Large transfers: the device copies to and from memory that is pinned, a piece at a time, while threads of the process
// copy the piece before between there and where it belongs. By itself it takes one thread for that.
#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>

#include "device.cuh"

namespace spicymkl::cuda {

namespace {

constexpr std::size_t kLarge = std::size_t{1} << 25;  // bytes from which on that pays
constexpr std::size_t kPiece = std::size_t{1} << 24;
constexpr std::size_t kMostThreads = 8;

/// memcpy by several threads.
void copy_together(char* to, const char* from, std::size_t bytes) {
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  const std::size_t share = (bytes + threads - 1) / threads;
  const auto copy = [=](std::size_t begin) { std::memcpy(to + begin, from + begin, std::min(share, bytes - begin)); };
  std::vector<std::thread> others;
  others.reserve(threads);
  for (std::size_t begin = share; begin < bytes; begin += share) {
    try {
      others.emplace_back(copy, begin);
    } catch (const std::system_error&) {  // there are no more threads to be had
      copy(begin);
    }
  }
  copy(0);
  for (std::thread& other : others) other.join();
}

/// Makes the pinned memory where there is none; false where it cannot be had.
bool has_stage(spicymkl_device& device) {
  for (PinnedPiece& piece : device.stage) {
    if (piece.memory != nullptr) continue;
    if (cudaMallocHost(&piece.memory, kPiece) != cudaSuccess) {
      cudaGetLastError();
      piece.memory = nullptr;
      return false;
    }
    check(cudaEventCreateWithFlags(&piece.is_done, cudaEventDisableTiming), "pinning memory");
  }
  return true;
}

}  // namespace

void PinnedPiece::release() {
  if (is_done != nullptr) cudaEventDestroy(is_done);
  if (memory != nullptr) cudaFreeHost(memory);
  *this = {};
}

void send_bytes(spicymkl_device& device, void* to, const void* from, std::size_t bytes) {
  if (bytes < kLarge || !has_stage(device)) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, device.stream), "sending numbers");
    return;
  }
  std::size_t turn = 0;
  for (std::size_t first = 0; first < bytes; first += kPiece, ++turn) {
    PinnedPiece& piece = device.stage[turn % device.stage.size()];
    const std::size_t size = std::min(kPiece, bytes - first);
    check(cudaEventSynchronize(piece.is_done), "sending numbers");  // what was sent from there before
    copy_together(static_cast<char*>(piece.memory), static_cast<const char*>(from) + first, size);
    check(cudaMemcpyAsync(static_cast<char*>(to) + first, piece.memory, size, cudaMemcpyHostToDevice, device.stream),
          "sending numbers");
    check(cudaEventRecord(piece.is_done, device.stream), "sending numbers");
  }
}

void fetch_bytes(spicymkl_device& device, void* to, const void* from, std::size_t bytes) {
  if (bytes < kLarge || !has_stage(device)) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, device.stream), "fetching numbers");
    device.finish();
    return;
  }
  const std::size_t pieces = (bytes + kPiece - 1) / kPiece;
  const auto size_of = [&](std::size_t turn) { return std::min(kPiece, bytes - turn * kPiece); };
  for (std::size_t turn = 0; turn <= pieces; ++turn) {
    if (turn < pieces) {
      PinnedPiece& piece = device.stage[turn % device.stage.size()];
      check(cudaMemcpyAsync(piece.memory, static_cast<const char*>(from) + turn * kPiece, size_of(turn),
                            cudaMemcpyDeviceToHost, device.stream),
            "fetching numbers");
      check(cudaEventRecord(piece.is_done, device.stream), "fetching numbers");
    }
    if (turn == 0) continue;
    const PinnedPiece& before = device.stage[(turn - 1) % device.stage.size()];
    check(cudaEventSynchronize(before.is_done), "fetching numbers");
    copy_together(static_cast<char*>(to) + (turn - 1) * kPiece, static_cast<const char*>(before.memory),
                  size_of(turn - 1));
  }
}

}  // namespace spicymkl::cuda
