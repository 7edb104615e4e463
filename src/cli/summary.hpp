// A finished model in words, as JSON, and its history as CSV.
#pragma once

#include <string>

#include "spicymkl/model/model.hpp"

namespace spicymkl::cli {

std::string summary_text(const Model& model);
std::string summary_json(const Model& model);
std::string history_csv(const History& history);

}  // namespace spicymkl::cli
