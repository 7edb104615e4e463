// Rows and kernels as they are sent: what a rank needs to compute kernels itself.
#pragma once

#include "message.hpp"
#include "spicymkl/bank/bank_plan.hpp"

namespace spicymkl {

void put(const Samples& samples, Writer& out);
Samples samples_from(Reader& in);

/// A kernel whose type is of the library.
void put(const FittedKernel& kernel, Writer& out);
FittedKernel kernel_from(Reader& in);

void put(const KernelOutline& outline, Writer& out);
KernelOutline outline_from(Reader& in);

}  // namespace spicymkl
