#include "exponential.hpp"

#include "core/vector_exp.hpp"

namespace spicymkl {

void Exponential::map(const double* base, double* out, Index n) const { vector_exp(-rate_, base, out, n); }

}  // namespace spicymkl
