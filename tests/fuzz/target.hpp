// A reader of files that anyone may have written, and what is known of it to those who attack it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spicymkl::fuzz {

struct Target {
  std::string name;
  /// Files to begin with, some good, some bad in a way that once did harm.
  std::vector<std::string> (*seeds)();
  /// Words of the format, for the mutations.
  std::vector<std::string> words;
  /// Reads the bytes as a file and uses what it read. InputError is the one exception that a bad file may lead to.
  void (*read)(std::string_view bytes);
};

/// All of them.
const std::vector<Target>& targets();

/// Throws InputError if there is none of that name.
const Target& find_target(std::string_view name);

/// Hands the bytes to the reader. Any exception but InputError, and an InputError of more than a screenful, comes out
/// as a std::exception: it is a finding.
void attack(const Target& target, std::string_view bytes);

}  // namespace spicymkl::fuzz
