// Room for many numbers that are going to be written once and read often.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace spicymkl {

/// So many numbers, not initialised, so that the threads that write them also touch their pages first; on large pages
/// where the system has them: to fetch small ones takes longer than to compute the kernels that fill them.
template <class Number>
std::shared_ptr<Number[]> large_room(std::size_t count) {
  constexpr std::size_t kPage = 0x1p21;
  if (count > (SIZE_MAX - kPage) / sizeof(Number)) throw std::bad_alloc();
  if (count * sizeof(Number) < kPage) return std::shared_ptr<Number[]>(new Number[count]);
  const std::size_t bytes = (count * sizeof(Number) + kPage - 1) / kPage * kPage;
  void* const room = std::aligned_alloc(kPage, bytes);
  if (room == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(room, bytes, MADV_HUGEPAGE);
#endif
  return std::shared_ptr<Number[]>(static_cast<Number*>(room), [](Number* numbers) { std::free(numbers); });
}

}  // namespace spicymkl
