// Gram matrices in the memory of a device, and those that are computed there when somebody asks for them.
#pragma once

#include <functional>
#include <map>

#include "device.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

/// Kernels of a table that is on the device.
struct GramSource {
  std::shared_ptr<const Samples> training;
  std::vector<FittedKernel> kernels;
  std::shared_ptr<const DeviceMemory> table;  ///< the values of the rows
  int threads = 1;                            ///< for kernels that the device does not know

  GramSource(const std::shared_ptr<const Device>& device, std::shared_ptr<const Samples> rows,
             std::vector<FittedKernel> of, int with_threads);
};

/// A matrix that is on the device.
struct DeviceGram {
  std::shared_ptr<const void> owner;
  const void* values = nullptr;
  /// Empty until it is asked for; of all stores that have the matrix.
  std::shared_ptr<Vector> diagonal = std::make_shared<Vector>();
};

/// How matrices lie in memory.
struct GramLayout {
  Index n = 0;
  Index stride = 0;      ///< from a column to the next
  int number_bytes = 8;  ///< 8: double, 4: float

  /// Columns begin at multiples of 16 bytes.
  static GramLayout of(Index n, int number_bytes);
  double bytes() const { return static_cast<double>(stride) * static_cast<double>(n) * number_bytes; }
};

/// Calls for some kernels of a set, at positions first, first + 1, …, whose matrices are on the device.
using WithGrams = std::function<void(Index first, const spicymkl_device_set& grams)>;

class GramStore {
 public:
  /// Matrices without values are computed from the source whenever they are needed, as many at a time as fit into
  /// `room` bytes. The source may be null where all have values.
  GramStore(std::shared_ptr<const Device> device, GramLayout layout, std::vector<DeviceGram> grams,
            std::shared_ptr<const GramSource> source, double room);

  const std::shared_ptr<const Device>& device() const { return device_; }
  const GramLayout& layout() const { return layout_; }
  const std::shared_ptr<const GramSource>& source() const { return source_; }
  double room() const { return room_; }
  bool keeps(Index kernel) const { return grams_[kernel].values != nullptr; }
  bool keeps_all() const;
  Index n_kernels() const { return std::ssize(grams_); }
  Index n_kept() const;

  void visit(KernelSet set, const WithGrams& work) const;
  /// Whether quadratic forms take the entries of a kernel as they are computed: it is not kept, and known to the
  /// device.
  bool computes_for_forms(Index kernel) const;
  /// out(k, p) = v_pᵀK_set(k)v_p for such kernels.
  void computed_forms(KernelSet set, const double* V, Index width, double* out) const;
  /// Their diagonals, fetched in one go where they are not known yet.
  std::vector<const Vector*> diagonals(KernelSet set) const;

  /// These kernels alone; those that are not kept are computed and kept too, with the help of what an earlier subset
  /// left in `known`, which then holds those of this one.
  GramStore subset(const std::vector<Index>& kernels, std::map<Index, DeviceGram>& known) const;
  /// All kernels on these samples, kept or not as they are here.
  GramStore on_samples(const std::vector<Index>& rows) const;

 private:
  std::vector<void*> compute(KernelSet set, const DeviceMemory& memory) const;
  spicymkl_device_set as_set(const std::vector<const void*>& matrices) const;

  std::shared_ptr<const Device> device_;
  GramLayout layout_;
  std::vector<DeviceGram> grams_;
  std::shared_ptr<const GramSource> source_;
  double room_;
};

/// As many kernels of a table as fit into `room` bytes, the others computed when they are needed.
GramStore make_gram_store(const std::shared_ptr<const Device>& device, std::shared_ptr<const GramSource> source,
                          int number_bytes, double room, const Watch& watch);

}  // namespace spicymkl
