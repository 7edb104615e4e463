// Bases by their sums, column by column.
#pragma once

#include "spicymkl/kernel/base.hpp"

namespace spicymkl {

/// out(i, j) = the sum over the columns of the table that `base` is made of, for points `first_row + i` of rows and
/// `first_column + j` of columns: xz for the cosine, matches not yet divided by their number. The distance of a row to
/// itself is exactly 0, sum(x, z) and sum(z, x) are the same bits, and a sum does not depend on its place in a block.
void sum_base(Base base, const Points& rows, Index first_row, const Points& columns, Index first_column, MatrixRef out);

}  // namespace spicymkl
