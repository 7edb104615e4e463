// Models as R has them: a list of what was learned, with the bytes of the model file, which survive saveRDS().
#pragma once

#include "convert.hpp"
#include "spicymkl/model/model.hpp"
#include "spicymkl/solver/result.hpp"

namespace spicymkl::r {

/// `histories` may be empty: files have none.
Rcpp::List model_list(const Model& model, const std::vector<History>& histories);

}  // namespace spicymkl::r
