// Kernels that are fitted anew on every part of the rows, known again from one part to the next.
#pragma once

#include <map>

#include "spicymkl/kernel/kernel_spec.hpp"
#include "spicymkl/model/sources.hpp"
#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl {

struct RegisteredKernel {
  std::string name;  ///< as on all rows
  Index source = 0;
};

/// The kernels of all rows, and their sources.
class KernelRegister {
 public:
  explicit KernelRegister(const Model& outline);

  const std::vector<RegisteredKernel>& kernels() const { return kernels_; }
  const std::vector<std::string>& sources() const { return sources_; }

  /// Of each kernel of an input, its number here. The widths of `auto` follow from the rows, and with them the names:
  /// a kernel without its own name is the next of its type on the same columns. −1: not among the kernels of all rows.
  std::vector<Index> numbers(const TrainingInput& input) const;

 private:
  using Place = std::tuple<std::string, std::string, std::vector<Index>>;  // source, type, columns
  static Place place_of(const KernelSpec& spec) { return {spec.group, spec.type, spec.columns}; }

  std::vector<RegisteredKernel> kernels_;
  std::vector<std::string> sources_;
  std::map<std::string, Index> by_name_;
  std::map<Place, std::vector<Index>> by_place_;  // of a table's kernels, in order
};

}  // namespace spicymkl
