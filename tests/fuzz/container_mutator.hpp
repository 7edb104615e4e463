// Mutations that keep a model or a checkpoint readable, so that they reach what lies behind its lengths and checksum.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace spicymkl::fuzz {

/// Changes the text in any way, to `most` bytes at most.
using Mutation = std::function<std::string(std::string_view text, std::size_t most)>;

/// Mutates the bytes as they are, the JSON inside, or the numbers of one tensor, as `choice` says; lengths, offsets and
/// checksum are made right again.
std::string mutated_container(std::string_view bytes, std::size_t most, unsigned choice, const Mutation& mutate);

}  // namespace spicymkl::fuzz
