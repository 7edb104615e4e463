// Bytes and seconds as people say them.
#pragma once

#include <string>

namespace spicymkl {

/// "80 kB", "12 MB", "1.2 GB": two digits, powers of 1000.
std::string bytes_text(double bytes);

/// "3 s", "25 min", "1.5 h", "3 days".
std::string duration_text(double seconds);

}  // namespace spicymkl
