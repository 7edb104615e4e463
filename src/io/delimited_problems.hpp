// What is wrong with a CSV or TSV file, column by column, once it is known that something is.
#pragma once

#include "column_plan.hpp"
#include "delimited_layout.hpp"

namespace spicymkl {

/// Reads the file once more, slowly, and throws TableProblems with `known` and all that it finds. Returns if that is a
/// single problem of some cells: the exception that made the caller ask says it better.
void refuse_all(const Layout& layout, const ColumnPlan& plan, const TableOptions& options,
                std::vector<TableProblem> known);

}  // namespace spicymkl
