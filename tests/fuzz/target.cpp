#include "target.hpp"

#include <fmt/format.h>

#include "spicymkl/core/error.hpp"
#include "support.hpp"
#include "targets.hpp"

namespace spicymkl::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      csv_target(),        tsv_target(),         libsvm_target(), npy_target(), npz_target(),
      gzip_target(),       kernel_list_target(), groups_target(), gmt_target(), model_target(),
      checkpoint_target(), certificate_target(), labels_target(),
  };
  return all;
}

const Target& find_target(std::string_view name) {
  std::string names;
  for (const Target& target : targets()) {
    if (target.name == name) return target;
    names += " " + target.name;
  }
  throw InputError(fmt::format("there is no fuzz target '{}'; the targets are{}", name, names));
}

void attack(const Target& target, std::string_view bytes) {
  accepted([&] { target.read(bytes); });
}

}  // namespace spicymkl::fuzz
