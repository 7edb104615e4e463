// A number that shows whether bytes have changed.
#pragma once

#include <cstdint>
#include <string_view>

namespace spicymkl {

/// CRC-32, as in ZIP files.
std::uint32_t checksum(std::string_view bytes);

}  // namespace spicymkl
