// Gram matrices on a device, of a table.
#pragma once

#include "device.hpp"

namespace spicymkl {

/// Numbers of 8 or 4 bytes. Of the options count memory, threads and watch; kernels that there is no room for are
/// computed anew whenever they are needed.
std::shared_ptr<const KernelBank> make_device_bank(const std::shared_ptr<const Device>& device,
                                                   std::shared_ptr<const Samples> training,
                                                   std::vector<FittedKernel> kernels, int number_bytes,
                                                   const BankOptions& options);

}  // namespace spicymkl
