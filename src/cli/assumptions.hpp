// What was assumed of the data, said on stderr and in JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "spicymkl/model/preparation.hpp"
#include "spicymkl/report/data_summary.hpp"

namespace spicymkl::cli {

/// The task, rows and columns in one line; what was imputed; what looks wrong.
void say_assumptions(const DataSummary& data);

/// The same as an object.
nlohmann::ordered_json assumptions_json(const DataSummary& data);

/// What had to be done to new rows, in one line each; `columns` are those of the rows.
void say_leniency(const Leniency& done, const std::string& path, const std::vector<std::string>& columns);

}  // namespace spicymkl::cli
