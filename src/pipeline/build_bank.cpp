#include "spicymkl/pipeline/build_bank.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "spicymkl/bank/dense_bank.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

double free_memory() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  double kibibytes = 0;
  while (info >> key >> kibibytes >> unit)
    if (key == "MemAvailable:") return 1024 * kibibytes;
  return static_cast<double>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::shared_ptr<const KernelBank> build_bank(const std::vector<FittedKernel>& kernels, const Samples& samples,
                                             const BankOptions& options) {
  const Index n = samples.n_rows();
  const double gigabyte = 1024.0 * 1024 * 1024;
  const double memory = options.memory > 0 ? options.memory : free_memory() / 2;
  const double needed = static_cast<double>(kernels.size()) * static_cast<double>(n) * static_cast<double>(n) * sizeof(double);
  if (needed > memory)
    throw InputError(fmt::format("{} kernels of {} samples take {:.3g} GiB, but {:.3g} GiB may be used; raise --memory, or use "
                                 "fewer kernels or rows",
                                 kernels.size(), n, needed / gigabyte, memory / gigabyte));
  auto grams = std::make_shared<std::vector<Matrix>>();
  std::vector<const double*> pointers;
  std::vector<std::string> names;
  for (const FittedKernel& kernel : kernels) {
    Matrix& gram = grams->emplace_back(n, n);
    kernel.gram(samples, gram, options.threads);
    pointers.push_back(gram.data());
    names.push_back(kernel.spec().name);
    if (options.progress && !options.progress(static_cast<Index>(pointers.size()), static_cast<Index>(kernels.size())))
      throw Interrupted();
  }
  return std::make_shared<DenseBank>(std::move(pointers), n, std::move(names), options.threads, grams);
}

}  // namespace spicymkl
