// The vocabulary shared by every folder: vectors, matrices, index sets.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace spicymkl {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using ConstVectorRef = Eigen::Ref<const Vector>;
using VectorRef = Eigen::Ref<Vector>;
using ConstMatrixRef = Eigen::Ref<const Matrix>;
using MatrixRef = Eigen::Ref<Matrix>;

/// Kernels are named by their index in the bank; a set is a list of such indices.
using KernelSet = std::span<const Index>;

/// 0, 1, …, n−1: the set of all kernels.
std::vector<Index> all_kernels(Index n);

}  // namespace spicymkl
