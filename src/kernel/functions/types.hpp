// What each kernel says of itself.
#pragma once

#include "spicymkl/kernel/kernel_function.hpp"

namespace spicymkl {

#define KERNEL(name) KernelType name##_kernel();
#include "kernels.def"
#undef KERNEL

}  // namespace spicymkl
