// A struct of options in the words of the library's option tables: every field is used, or refused by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/option_table.hpp"
#include "values.hpp"

namespace spicymkl::octave {

/// As a message calls it: options.l1_ratio.
std::string spelled(const std::string& option);

// One value of a field, or an InputError in which `what` names it.
void set_value(const mxArray* field, const std::string& what, bool& value);
void set_value(const mxArray* field, const std::string& what, int& value);
void set_value(const mxArray* field, const std::string& what, std::uint64_t& value);
void set_value(const mxArray* field, const std::string& what, double& value);
void set_value(const mxArray* field, const std::string& what, std::string& value);
void set_value(const mxArray* field, const std::string& what, std::vector<double>& value);
/// A cell array of strings, numbers, or strings separated by commas as on the command line.
void set_value(const mxArray* field, const std::string& what, std::vector<std::string>& value);
void set_value(const mxArray* field, const std::string& what, Vector& value);

class GivenOptions {
 public:
  /// A struct, or an empty array: none. `function` is what the user called.
  GivenOptions(const mxArray* options, std::string function);

  /// Sets what was given; a field that holds [] was not.
  template <class Value>
  void read(const std::string& name, Value& value) {
    if (const mxArray* field = find(name)) set_value(field, spelled(name), value);
  }

  /// The same for every option of a table but those left out.
  template <class Options>
  void read(const OptionTable<Options>& table, Options& values, const std::vector<std::string>& left_out = {}) {
    for (const Option<Options>& option : table) {
      if (std::ranges::find(left_out, option.name) != left_out.end()) continue;
      std::visit([&](const auto member) { read(option.name, values.*member); }, option.member);
      if (const auto* flag = std::get_if<bool Options::*>(&option.member); flag != nullptr && !option.negation.empty())
        read_negation(option.negation, values.*(*flag));
    }
  }

  /// A field that was not read is an InputError, with the name that was probably meant.
  void finish() const;

  /// The options that were given.
  const std::set<std::string>& names() const { return given_; }

 private:
  const mxArray* find(const std::string& name);
  void read_negation(const std::string& name, bool& value);

  const mxArray* options_;  // null: none
  std::string function_;
  std::vector<std::string> known_;
  std::set<std::string> given_;
};

}  // namespace spicymkl::octave
