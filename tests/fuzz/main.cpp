// libFuzzer's program. The first argument is the target, or "seeds" and a folder that the seeds and dictionaries of all
// targets go to; what follows is libFuzzer's own.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "container_mutator.hpp"
#include "target.hpp"

// Of libFuzzer.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace spicymkl::fuzz {

namespace {

const Target* chosen = nullptr;

void write(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string dictionary(const Target& target) {
  std::string text;
  for (const std::string& word : target.words) {
    for (const char c : word)
      text +=
          fmt::format("{}\\x{:02X}", text.empty() || text.back() == '\n' ? "\"" : "", static_cast<unsigned char>(c));
    text += "\"\n";
  }
  return text;
}

void write_seeds(const std::filesystem::path& folder) {
  for (const Target& target : targets()) {
    std::filesystem::create_directories(folder / target.name);
    const std::vector<std::string> seeds = target.seeds();
    for (std::size_t k = 0; k < seeds.size(); ++k) write(folder / target.name / fmt::format("seed{}", k), seeds[k]);
    write(folder / (target.name + ".dict"), dictionary(target));
    std::puts(target.name.c_str());
  }
}

std::string mutate(std::string_view text, std::size_t most) {
  std::string changed(text);
  changed.resize(std::max(most, text.size()));
  const auto size = LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(changed.data()), text.size(), changed.size());
  changed.resize(size);
  return changed;
}

}  // namespace

}  // namespace spicymkl::fuzz

using namespace spicymkl::fuzz;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const auto usage = [&] {
    std::fprintf(stderr, "usage: %s TARGET [options of libFuzzer], or %s seeds FOLDER\n", (*argv)[0], (*argv)[0]);
    std::exit(2);
  };
  if (*argc < 2) usage();
  if (std::strcmp((*argv)[1], "seeds") == 0) {
    if (*argc != 3) usage();
    write_seeds((*argv)[2]);
    std::exit(0);
  }
  chosen = &find_target((*argv)[1]);
  (*argv)[1] = (*argv)[0];
  ++*argv;
  --*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attack(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const bool container = chosen->name == "model" || chosen->name == "checkpoint";
  if (!container) return LLVMFuzzerMutate(data, size, most);
  const std::string changed = mutated_container({reinterpret_cast<const char*>(data), size}, most, seed, mutate);
  if (changed.size() > most) return size;
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
