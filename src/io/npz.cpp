#include "npz.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cell.hpp"
#include "gzip.hpp"
#include "number_type.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

// Names and layouts as in PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.
constexpr std::string_view kEndRecord("PK\5\6", 4);
constexpr std::string_view kEndRecord64("PK\6\6", 4);
constexpr std::string_view kEndLocator64("PK\6\7", 4);
constexpr std::string_view kDirectoryEntry("PK\1\2", 4);
constexpr std::string_view kLocalHeader("PK\3\4", 4);
constexpr std::uint64_t kEndRecordSize = 22;
constexpr std::uint64_t kLocatorSize = 20;
constexpr std::uint64_t kEntrySize = 46;
constexpr std::uint64_t kLocalSize = 30;
constexpr std::uint64_t kSizeIsElsewhere = 0xFFFFFFFF;
constexpr std::uint64_t kLongestComment = 0xFFFF;
constexpr unsigned kZip64Extra = 1;
constexpr unsigned kEncrypted = 1;
constexpr unsigned kStored = 0;
constexpr unsigned kDeflated = 8;

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw InputError(fmt::format("{}: {}; write the file again with numpy.savez", what, why));
}

/// Little-endian numbers with every access checked against the size of the file.
class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  std::string_view slice(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) refuse(path_, "the NPZ archive is truncated or damaged");
    return bytes_.substr(at, size);
  }

  std::uint64_t number(std::uint64_t at, unsigned width) const { return little_endian(slice(at, width)); }

  bool is(std::uint64_t at, std::string_view signature) const { return slice(at, 4) == signature; }

 private:
  std::string_view bytes_;
  const std::string& path_;
};

struct Directory {
  std::uint64_t offset;
  std::uint64_t entries;
};

Directory find_directory(std::string_view bytes, const std::string& path) {
  const Bytes file(bytes, path);
  if (!bytes.starts_with(kLocalHeader) && !bytes.starts_with(kEndRecord)) refuse(path, "is not an NPZ archive");
  const std::uint64_t tail = std::min<std::uint64_t>(bytes.size(), kEndRecordSize + kLongestComment);
  const std::size_t found = bytes.substr(bytes.size() - tail).rfind(kEndRecord);
  if (found == std::string_view::npos) refuse(path, "the NPZ archive is truncated: its directory is missing");
  const std::uint64_t end = bytes.size() - tail + found;
  if (end >= kLocatorSize && file.is(end - kLocatorSize, kEndLocator64)) {
    const std::uint64_t record = file.number(end - kLocatorSize + 8, 8);
    if (!file.is(record, kEndRecord64)) refuse(path, "the NPZ archive's directory is damaged");
    return {file.number(record + 48, 8), file.number(record + 32, 8)};
  }
  return {file.number(end + 16, 4), file.number(end + 10, 2)};
}

/// Sizes and offset of 64 bits, in the order of the fields that say so.
void read_zip64(const Bytes& file, std::uint64_t at, std::uint64_t end, std::initializer_list<std::uint64_t*> fields) {
  while (at + 4 <= end) {
    const std::uint64_t id = file.number(at, 2);
    const std::uint64_t size = file.number(at + 2, 2);
    at += 4;
    if (id == kZip64Extra) {
      for (std::uint64_t* field : fields) {
        if (*field != kSizeIsElsewhere) continue;
        *field = file.number(at, 8);
        at += 8;
      }
      return;
    }
    at += size;
  }
}

constexpr std::string_view kExtension = ".npy";

}  // namespace

NpzArchive::NpzArchive(std::string_view bytes, std::string path) : bytes_(bytes), path_(std::move(path)) {
  const Directory directory = find_directory(bytes_, path_);
  std::uint64_t at = directory.offset;
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    Member member = read_entry(at);
    if (!member.name.ends_with(kExtension)) continue;
    member.name.resize(member.name.size() - kExtension.size());
    place_.emplace(member.name, members_.size());
    members_.push_back(std::move(member));
  }
  // Members that share their bytes would make much out of little.
  std::uint64_t left = bytes_.size();
  for (const Member& member : members_) {
    if (member.compressed_size > left) refuse(path_, "the arrays of the NPZ archive overlap or are truncated");
    left -= member.compressed_size;
  }
}

NpzArchive::Member NpzArchive::read_entry(std::uint64_t& at) const {
  const Bytes file(bytes_, path_);
  if (!file.is(at, kDirectoryEntry)) refuse(path_, "the NPZ archive's directory is damaged");
  Member member;
  member.flags = static_cast<unsigned>(file.number(at + 8, 2));
  member.method = static_cast<unsigned>(file.number(at + 10, 2));
  member.crc = static_cast<std::uint32_t>(file.number(at + 16, 4));
  member.compressed_size = file.number(at + 20, 4);
  member.size = file.number(at + 24, 4);
  member.offset = file.number(at + 42, 4);
  const std::uint64_t name_size = file.number(at + 28, 2);
  const std::uint64_t extra_size = file.number(at + 30, 2);
  const std::uint64_t comment_size = file.number(at + 32, 2);
  member.name = file.slice(at + kEntrySize, name_size);
  const std::uint64_t extra = at + kEntrySize + name_size;
  read_zip64(file, extra, extra + extra_size, {&member.size, &member.compressed_size, &member.offset});
  at = extra + extra_size + comment_size;
  return member;
}

std::vector<std::string> NpzArchive::names() const {
  std::vector<std::string> names;
  for (const Member& member : members_) names.push_back(member.name);
  return names;
}

std::string NpzArchive::what(const Member& member) const {
  return fmt::format("{}, array {}", path_, in_quotes(member.name));
}

std::string_view NpzArchive::compressed(const Member& member) const {
  const Bytes file(bytes_, path_);
  if (!file.is(member.offset, kLocalHeader)) refuse(what(member), "its data are damaged");
  // Name and extra field may be longer here than in the directory.
  const std::uint64_t begin =
      member.offset + kLocalSize + file.number(member.offset + 26, 2) + file.number(member.offset + 28, 2);
  return file.slice(begin, member.compressed_size);
}

std::string_view NpzArchive::read(const std::string& name, std::string& inflated) const {
  const auto place = place_.find(name);
  if (place == place_.end())
    throw InputError(fmt::format("{}: there is no array {}; check the name", path_, in_quotes(name)));
  const Member* const found = &members_[place->second];
  if (found->flags & kEncrypted) refuse(what(*found), "is encrypted");
  std::string_view data = compressed(*found);
  if (found->method == kDeflated) {
    inflated = inflate_raw(data, found->size, what(*found));
    data = inflated;
  } else if (found->method != kStored) {
    refuse(what(*found), fmt::format("is compressed by method {}, and only deflate is known", found->method));
  }
  if (data.size() != found->size || checksum(data) != found->crc)
    refuse(what(*found), "its checksum is wrong, the data are damaged");
  return data;
}

}  // namespace spicymkl
