// One function a kernel type; each is defined in the file of its name.
#pragma once

#include "spicymkl/kernel/kernel_function.hpp"

namespace spicymkl {

const KernelType& linear_type();
const KernelType& polynomial_type();
const KernelType& gaussian_type();
const KernelType& laplacian_type();
const KernelType& matern_type();
const KernelType& rational_quadratic_type();
const KernelType& cosine_type();
const KernelType& chi_squared_type();
const KernelType& histogram_intersection_type();
const KernelType& overlap_type();

}  // namespace spicymkl
