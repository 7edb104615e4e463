// Options as data: one table gives the command line, Python and the documentation their names, defaults and help.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace spicymkl {

/// One member of the plain struct `Options`, whose default is that of a default-constructed struct.
template <class Options>
struct Option {
  using Member =
      std::variant<bool Options::*, int Options::*, std::uint64_t Options::*, double Options::*, std::string Options::*,
                   std::vector<double> Options::*, std::vector<std::string> Options::*>;

  std::string name;  ///< as in Python; on the command line with "-" for "_"
  Member member;
  std::string help;                       ///< one line
  std::vector<std::string> choices = {};  ///< empty: any value of the type
  bool rare = false;                      ///< named but not explained in the short help
  /// For a switch that is on by default: what the command line calls switching it off.
  std::string negation = {};
};

template <class Options>
using OptionTable = std::vector<Option<Options>>;

}  // namespace spicymkl
