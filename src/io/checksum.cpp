#include "checksum.hpp"

#include <zlib.h>

namespace spicymkl {

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace spicymkl
