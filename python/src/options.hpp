// The library's option tables in Python's words: a dict from names to values; what is left out has its default.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "core/option_table.hpp"

namespace spicymkl::python {

template <class Options>
Options read_options(const OptionTable<Options>& table, const nb::dict& given) {
  Options options;
  for (const Option<Options>& option : table)
    if (const char* name = option.name.c_str(); given.contains(name))
      std::visit(
          [&](const auto member) { options.*member = nb::cast<std::decay_t<decltype(options.*member)>>(given[name]); },
          option.member);
  return options;
}

}  // namespace spicymkl::python
