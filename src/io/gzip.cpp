#include "gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <new>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr int kGzipWindow = 15 + 16;         // zlib's code for: the largest window, gzip header and trailer
constexpr int kRawWindow = -15;              // the largest window, no header at all
constexpr std::size_t kLargestRatio = 1032;  // deflate cannot compress more than this
// Tables compress some 3 to 20 times, a table of zeros 200 times. What is small may be anything.
constexpr std::size_t kTextRatio = 300;
constexpr std::size_t kSmallText = std::size_t{1} << 26;

/// zlib counts bytes in unsigned int; larger spans are handed over piece by piece.
uInt piece(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

class Inflater {
 public:
  Inflater(std::string_view bytes, int window) : next_(bytes.data()), left_(bytes.size()) {
    if (inflateInit2(&stream_, window) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string_view rest() const { return {next_, left_}; }
  void next_member() { inflateReset(&stream_); }

  /// Fills up to `size` bytes at `out`; returns how many, with zlib's status in `status`.
  std::size_t fill(char* out, std::size_t size, int& status) {
    const uInt given = piece(left_);
    const uInt room = piece(size);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next_));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = room;
    status = inflate(&stream_, Z_NO_FLUSH);
    next_ += given - stream_.avail_in;
    left_ -= given - stream_.avail_in;
    return room - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  const char* next_;
  std::size_t left_;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

std::string gunzip(std::string_view bytes, const std::string& path) {
  if (!is_gzip(bytes))
    throw InputError(fmt::format("{}: is not a gzip file; remove .gz from its name or compress it", path));
  Inflater inflater(bytes, kGzipWindow);
  std::string text(std::max<std::size_t>(4 * bytes.size(), 1024), '\0');
  std::size_t size = 0;
  for (int status = Z_OK;;) {
    if (size == text.size()) {
      if (size >= kSmallText && size / kTextRatio >= bytes.size())
        throw InputError(
            fmt::format("{}: {} bytes of gzip data hold more than {} bytes of text, which no table does; decompress it "
                        "yourself (gunzip) if it is meant so",
                        path, bytes.size(), size));
      text.resize(2 * size);
    }
    const std::size_t got = inflater.fill(text.data() + size, text.size() - size, status);
    size += got;
    if (status == Z_STREAM_END) {
      if (!is_gzip(inflater.rest())) break;  // zeros that pad the last member are no data
      inflater.next_member();
    } else if (status == Z_BUF_ERROR || (status == Z_OK && got == 0 && inflater.rest().empty())) {
      throw InputError(
          fmt::format("{}: the gzip data end too early after {} bytes of text; copy the file again", path, size));
    } else if (status != Z_OK) {
      throw InputError(
          fmt::format("{}: the gzip data are damaged after {} bytes of text; copy the file again", path, size));
    }
  }
  text.resize(size);
  return text;
}

std::string inflate_raw(std::string_view bytes, std::size_t size, const std::string& what) {
  const auto refuse = [&] {
    throw InputError(fmt::format("{}: the compressed data are damaged; write the file again", what));
  };
  if (size / kLargestRatio > bytes.size() + 1) refuse();  // before an absurd announcement becomes an allocation
  Inflater inflater(bytes, kRawWindow);
  std::string text(size + 1, '\0');  // the spare byte shows a stream that is longer than announced
  std::size_t have = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const std::size_t got = inflater.fill(text.data() + have, text.size() - have, status);
    have += got;
    if (status != Z_STREAM_END && (status != Z_OK || (got == 0 && inflater.rest().empty()))) refuse();
  }
  if (have != size) refuse();
  text.resize(size);
  return text;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t checksum_of_both(std::uint32_t first, std::uint32_t second, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(size)));
}

std::uint32_t checksum(std::string_view bytes, int threads) {
  constexpr double kByteCost = 2;  // multiplications that take as long
  struct Part {
    std::uint32_t sum;
    std::size_t size;
  };
  std::map<Index, Part> parts;  // by their beginnings
  std::mutex adding;
  parallel_for(std::ssize(bytes), threads, kByteCost, [&](Index begin, Index end) {
    const std::string_view part = bytes.substr(begin, end - begin);
    const std::uint32_t sum = checksum(part);
    const std::scoped_lock lock(adding);
    parts[begin] = {sum, part.size()};
  });
  std::uint32_t sum = checksum("");
  for (const auto& [begin, part] : parts) sum = checksum_of_both(sum, part.sum, part.size);
  return sum;
}

}  // namespace spicymkl
