// The benchmark of kernels on a table: from the file to the model, with the bank that is chosen and with dense
// matrices.
#pragma once

#include <nlohmann/json.hpp>

#include "table_input.hpp"

namespace spicymkl::cli {

/// Trains on the `paper` kernels of the table both ways, for three strengths and two losses, and prints or returns
/// times, bytes and objectives.
nlohmann::ordered_json bench_table(const TableInput& input, double tol, int threads, bool silent);

}  // namespace spicymkl::cli
