// What the work on kernels costs, in nanoseconds of one core: measured on the machine of docs/performance.md.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

inline constexpr double kDenseReading = 0.4;  // to read an entry of a stored matrix, and
inline constexpr double kDenseWriting = 2.0;  // to write it for the first time, page faults included
inline constexpr double kPageFaults =
    2.0;                                 // what these add where the memory is fresh, which is not for a plan to avoid
inline constexpr double kMapping = 1.0;  // to map a base value to a kernel value, and
inline constexpr double kBaseColumn = 0.3;     // to add one column to a base value
inline constexpr double kFactorEntry = 0.25;   // to subtract one column of a factor from another, per entry
inline constexpr double kEachKernel = 2e4;     // to name, fit and place a kernel, whatever its size, and
inline constexpr double kEachColumn = 1e3;     // to begin a column of its factor
inline constexpr double kFactorReading = 0.3;  // to read an entry of a factor

/// To compute one entry, alone.
inline double entry_cost(Index n_columns) { return kMapping + kBaseColumn * static_cast<double>(n_columns); }

/// How much faster so many threads are than one.
inline double speedup(double threads) { return threads / (1 + 0.15 * (threads - 1)); }

}  // namespace spicymkl
