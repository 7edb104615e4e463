// Compressed bytes and checksums, through zlib.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spicymkl {

bool is_gzip(std::string_view bytes);

/// All members of a gzip file, one after the other. Throws InputError, naming `path`, for damaged or truncated bytes.
std::string gunzip(std::string_view bytes, const std::string& path);

/// A raw deflate stream of a known inflated size (a ZIP member). Throws InputError naming `what` when it is another
/// size.
std::string inflate_raw(std::string_view bytes, std::size_t size, const std::string& what);

/// CRC-32, as in ZIP files.
std::uint32_t checksum(std::string_view bytes);
/// The same on several threads.
std::uint32_t checksum(std::string_view bytes, int threads);
/// That of bytes whose parts have these checksums; the second has `size` bytes.
std::uint32_t checksum_of_both(std::uint32_t first, std::uint32_t second, std::size_t size);

}  // namespace spicymkl
