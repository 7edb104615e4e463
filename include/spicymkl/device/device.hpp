// Devices beside the processor, such as a GPU: a plugin knows how to work with them, and banks are made there.
#pragma once

#include <memory>
#include <string>

#include "spicymkl/bank/gram_check.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl {

class Device;

/// The GPU of that number, by the plugin libspicymkl_cuda.so. It is looked for in the folders of SPICYMKL_PLUGINS,
/// beside this program or library, and where the library is installed. What is missing is an InputError, in one
/// sentence.
std::shared_ptr<const Device> open_cuda(int number = 0);

/// As the device calls itself, "NVIDIA H200" say.
std::string name_of(const Device& device);

/// For BankOptions::maker: kernels are computed, kept and factored on the device. Those that it has no room for are
/// computed anew whenever they are needed; those that it cannot compute are computed here and sent.
std::shared_ptr<const BankMaker> banks_on(std::shared_ptr<const Device> device);

/// The same for precomputed kernels: a copy of them on the device, in double precision.
std::shared_ptr<const KernelBank> copy_to(const std::shared_ptr<const Device>& device, const DenseBank& bank);

/// Symmetric matrices that are on a device already, side by side; whoever made them keeps them until `owner` dies.
struct GramsOnDevice {
  std::vector<const void*> matrices;
  Index n = 0;
  int number_bytes = 8;  ///< 8: double, 4: float
  std::vector<std::string> names;
  std::shared_ptr<const void> owner;
};

/// A bank over these, which are read in place.
std::shared_ptr<const KernelBank> bank_over(const std::shared_ptr<const Device>& device, GramsOnDevice grams,
                                            int threads, Watch watch);
/// What is known of their entries, for check_gram_matrices.
std::vector<GramFindings> examine(const Device& device, const GramsOnDevice& grams);

/// A name other than cpu, cuda and auto is an InputError.
void check_device_name(const std::string& name);

/// "cpu": null; "cuda": open_cuda(); "auto": the same where there is a GPU and its plugin, else null.
std::shared_ptr<const Device> choose_device(const std::string& name);

}  // namespace spicymkl
