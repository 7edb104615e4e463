// The certificate as a file: enough for anyone with the Gram matrices to recompute primal, dual and gap.
#pragma once

#include <string>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// One object; of classes that were learned each against the rest {"classes": [one object per class]}.
std::string certificate_json(const Model& model);

}  // namespace spicymkl
