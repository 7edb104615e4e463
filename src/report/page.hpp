// The frame of every page.
#pragma once

#include <string>

#include "charts.hpp"

namespace spicymkl {

/// One file that needs nothing else. `date` ends with a space; empty: the page does not say when it was written.
std::string page_html(const std::string& heading, const std::string& date, const std::string& body,
                      const Charts& charts);

}  // namespace spicymkl
