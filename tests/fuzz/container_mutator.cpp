#include "container_mutator.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "support.hpp"

namespace spicymkl::fuzz {

namespace {

void mutate_text(TensorFile& file, const Mutation& mutate) {
  if (file.metadata.empty()) return;
  std::string& text = file.metadata.begin()->second;
  text = mutate(text, 2 * text.size() + 64);
}

/// A vector may grow or shrink; a matrix keeps its shape.
void mutate_numbers(Tensor& tensor, const Mutation& mutate) {
  const std::string_view before(reinterpret_cast<const char*>(tensor.values.data()),
                                tensor.values.size() * sizeof(double));
  const std::string after = mutate(before, before.size() + 2 * sizeof(double));
  if (tensor.shape.size() == 1) {
    tensor.values.resize(after.size() / sizeof(double));
    tensor.shape[0] = static_cast<Index>(tensor.values.size());
  }
  const std::size_t size = std::min(after.size(), tensor.values.size() * sizeof(double));
  if (size > 0) std::memcpy(tensor.values.data(), after.data(), size);
}

}  // namespace

std::string mutated_container(std::string_view bytes, std::size_t most, unsigned choice, const Mutation& mutate) {
  TensorFile file;
  const unsigned part = choice % 4;
  if (part == 0 || !accepted([&] { file = parse_safetensors(bytes, "mutator"); })) return mutate(bytes, most);
  if (part == 1 && !file.tensors.empty()) {
    const auto chosen = std::next(file.tensors.begin(), choice / 4 % file.tensors.size());
    mutate_numbers(chosen->second, mutate);
  } else {
    mutate_text(file, mutate);
  }
  seal(file);
  try {
    return to_safetensors(file);
  } catch (const std::exception&) {  // no JSON can hold what the text has become
    return std::string(bytes);
  }
}

}  // namespace spicymkl::fuzz
