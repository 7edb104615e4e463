// `auto` lists kernels on every single column. Of a table with very many columns they may be too many.
#pragma once

#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl {

/// Keeps the kernels on single columns as far as the plan of their bank can afford them: all of them; else those that
/// take a number per row (linear, overlap); else none. They are affordable when they take no more than two minutes, or
/// than the kernels on several columns do; kernels beyond the memory take their time, as they are computed again and
/// again. What is left out is remarked.
void keep_affordable_columns(TrainingTable& training, const BankOptions& options);

}  // namespace spicymkl
