// Labels beside Gram matrices: a text file, one label per line.
#include <unistd.h>

#include <filesystem>

#include "../support.hpp"
#include "../targets.hpp"
#include "spicymkl/io/label_file.hpp"
#include "spicymkl/pipeline/target.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> label_seeds() {
  return {"1\n-1\n1\n",
          "yes\r\nno\r\n",
          "\"a\"\n\"b\"\n",
          "\xEF\xBB\xBF"
          "1\n2\n",
          "0.5\n1e999\n",
          "a,b\n",
          "NA\n",
          "\xC0\x80\n"};
}

/// Its kind is told by its name, which a file in memory does not have.
class NamedLink {
 public:
  explicit NamedLink(const std::string& path) {
    std::string folder = (std::filesystem::temp_directory_path() / "spicymkl_fuzz_XXXXXX").string();
    folder_ = ::mkdtemp(folder.data());
    std::filesystem::create_symlink(path, this->path());
  }
  ~NamedLink() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  NamedLink(const NamedLink&) = delete;
  NamedLink& operator=(const NamedLink&) = delete;
  std::string path() const { return (folder_ / "labels.txt").string(); }

 private:
  std::filesystem::path folder_;
};

void read_label_text(std::string_view bytes) {
  const MemoryFile file(bytes);
  const NamedLink link(file.path());
  const Table table = labels_as_table(read_labels(link.path()), "labels.txt");
  require(!table.target.empty(), "no labels were accepted");
  accepted([&] { make_target(table, "auto"); });
}

}  // namespace

Target labels_target() {
  return {
      "labels", label_seeds, {"\n", "\r\n", "\"", "NA", "1", "-1", "\xEF\xBB\xBF", "1e999", "nan"}, read_label_text};
}

}  // namespace spicymkl::fuzz
