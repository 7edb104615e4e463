// By which features the kernels of a model work, for those who read of it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "spicymkl/model/table_model.hpp"

namespace spicymkl {

/// Adds "features" to what is said of an active kernel: kind, rank and the part of the trace that is left out. Nothing
/// where the kernel is exact.
void add_features(const TableModel& table, Index kernel, nlohmann::ordered_json& json);

/// "3 active kernels by features of 17 to 100 numbers per row; at most 2.1 % of a trace left out"; empty where all are
/// exact.
std::string features_text(const TableModel& table);

}  // namespace spicymkl
