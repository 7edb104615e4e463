#include "task_seed.hpp"

#include "core/random_draws.hpp"

namespace spicymkl {

std::uint32_t task_seed(std::uint64_t study_seed, std::string_view purpose, Index first, Index second) {
  std::uint64_t state = SplitMix64(study_seed)();
  const auto mix = [&](std::uint64_t value) { state = SplitMix64(state ^ value)(); };
  for (const char c : purpose) mix(static_cast<unsigned char>(c));
  mix(static_cast<std::uint64_t>(first));
  mix(static_cast<std::uint64_t>(second));
  return static_cast<std::uint32_t>(state >> 33);
}

}  // namespace spicymkl
