// How fast a machine works: nanoseconds of one core, measured on the machine of docs/performance.md. Whatever is
// expected of a plan, a bank or a run is made of these; choices depend on their ratios, which machines have in common
// more than the speeds.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

inline constexpr double kNanosecond = 1e-9;

inline constexpr double kDenseReading = 0.4;   // to read an entry of a stored matrix in order,
inline constexpr double kFactorReading = 0.3;  // of a factor,
inline constexpr double kColumnReading = 2;    // of a column, while pairs of dual values change: short loops
inline constexpr double kDenseWriting = 2.0;   // to write an entry for the first time, page faults included
inline constexpr double kPageFaults = 2.0;     // what these add where the memory is fresh, which no plan avoids
inline constexpr double kMapping = 1.0;        // to map a base value to a kernel value, and
inline constexpr double kBaseColumn = 0.1;     // to add one column to a base value
inline constexpr double kProductEntry = 0.9;   // to multiply by an entry of a kernel that is computed on the way
inline constexpr double kFactorEntry = 0.25;   // to subtract one column of a factor from another, per entry
inline constexpr double kEachKernel = 2e4;     // to name, fit and place a kernel, whatever its size, and
inline constexpr double kEachColumn = 1e3;     // to begin a column of its factor
inline constexpr double kFlop = 0.05;  // of outer products and factorisations of a few hundred to a few thousand rows
inline constexpr double kSumEntry = 0.3;   // to add a stored matrix to the lower triangle of another, per entry of it
inline constexpr double kNewtonEntry = 4;  // to clear a Newton matrix, to factor it in part, and to solve by conjugate
                                           // gradients, per entry of it

/// To compute one entry of a kernel, alone.
inline double entry_cost(double n_columns) { return kMapping + kBaseColumn * n_columns; }

/// How much faster so many threads are than one.
inline double speedup(double threads) { return threads / (1 + 0.15 * (threads - 1)); }

}  // namespace spicymkl
