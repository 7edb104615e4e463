// How much more memory this process may have.
#pragma once

namespace spicymkl {

/// Bytes that a limit on the address space (ulimit -v) still leaves; infinite without one.
double free_address_space();

}  // namespace spicymkl
