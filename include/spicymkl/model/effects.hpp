// What single columns do to the score: f_m(x) of the kernels that read one column alone, from the model alone.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// Where values lie.
struct ColumnDensity {
  Vector places;              ///< values that occur if they are few, else the centres of bins
  std::vector<Index> counts;  ///< rows at each
  double bin_width = 0;       ///< 0: the places are values themselves
};

ColumnDensity density_of(const Vector& values);

/// All of it in the user's own units.
struct ColumnEffect {
  Index column = 0;  ///< of the training table
  std::string name;
  std::vector<std::string> categories;  ///< then the grid is 0, 1, 2, …: their places; empty for a column of numbers
  Vector grid;                          ///< from the smallest to the largest value of the rows that are kept
  std::vector<Index> kernels;           ///< active ones, among all M, that read this column alone
  std::vector<Matrix> parts;            ///< per output: f_m(x), grid × kernels; 0 for one that is not active
  Matrix total;                         ///< their sum: grid × outputs
  Vector spread;                        ///< per output: the standard deviation of the sum over training rows
  /// Of the training rows that the model keeps: all of them for losses like the logistic or the squared one; for the
  /// hinge and its like, those with a dual value that is not 0.
  ColumnDensity density;
};

/// One per column that some active kernel reads alone, in the order of the table; none for precomputed kernels.
/// `n_points` is the size of the grid of a column of numbers. threads = 0: all cores.
std::vector<ColumnEffect> column_effects(const Model& model, Index n_points = 101, int threads = 0);

}  // namespace spicymkl
