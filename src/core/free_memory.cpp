#include "free_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

namespace spicymkl {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// The files of a control group, which version 1 of Linux's groups names otherwise than version 2.
struct GroupNames {
  const char *folder, *limit, *usage, *idle;
};
constexpr GroupNames kVersion2{"", "memory.max", "memory.current", "inactive_file"};
constexpr GroupNames kVersion1{"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// The number after this word, where lines begin with words.
double number_after(const std::string& path, const std::string& word, double otherwise) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream parts(line);
    std::string name;
    double value = 0;
    if (parts >> name && name == word && parts >> value) return value;
  }
  return otherwise;
}

double number_in(const std::string& path, double otherwise) {
  double value = 0;
  return std::ifstream(path) >> value ? value : otherwise;  // "max", where there is no limit, is no number
}

double available(const MemoryFiles& files) {
  const double kilobytes = number_after(files.processes + "/meminfo", "MemAvailable:", -1);
  if (kilobytes >= 0) return 1024 * kilobytes;
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// What a group leaves: files that were read count as usage until the memory is wanted for something else.
double left_in(const std::string& folder, const GroupNames& names) {
  const double limit = number_in(folder + "/" + names.limit, kUnlimited);
  if (limit == kUnlimited) return limit;
  const double used = number_in(folder + "/" + names.usage, 0);
  const double idle = number_after(folder + "/memory.stat", names.idle, 0);
  return std::max(0.0, limit - std::max(0.0, used - idle));
}

/// Of the group and all that it is part of. Within a container its folder may be out of sight: its limit then stands at
/// the root.
double left_in_groups(std::string path, const std::string& root, const GroupNames& names) {
  double left = left_in(root + names.folder, names);
  while (!path.empty() && path != "/") {
    left = std::min(left, left_in(root + names.folder + path, names));
    path.erase(path.rfind('/'));
  }
  return left;
}

/// Lines of /proc/self/cgroup are ID:CONTROLLERS:PATH, without controllers in version 2.
double left_by_groups(const MemoryFiles& files) {
  std::ifstream list(files.processes + "/self/cgroup");
  double left = kUnlimited;
  std::string line;
  while (std::getline(list, line)) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos || line[second + 1] != '/') continue;
    const std::string path = line.substr(second + 1);
    std::string controllers = ",";
    controllers.append(line, first + 1, second - first - 1).append(",");
    if (controllers == ",,") left = std::min(left, left_in_groups(path, files.groups, kVersion2));
    if (controllers.find(",memory,") != std::string::npos)
      left = std::min(left, left_in_groups(path, files.groups, kVersion1));
  }
  return left;
}

template <class Resource>
double left_by_limit(Resource resource, double used) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

double left_by_limits() {
  double total = 0, resident = 0, shared = 0, text = 0, libraries = 0, data = 0;
  std::ifstream("/proc/self/statm") >> total >> resident >> shared >> text >> libraries >> data;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::min(left_by_limit(RLIMIT_AS, total * page), left_by_limit(RLIMIT_DATA, data * page));
}

}  // namespace

double free_memory_of_system(const MemoryFiles& files) { return std::min(available(files), left_by_groups(files)); }

double free_memory() { return std::min(free_memory_of_system({}), left_by_limits()); }

}  // namespace spicymkl
