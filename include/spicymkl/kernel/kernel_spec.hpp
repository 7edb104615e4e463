// One kernel, as the user asked for it, with every default filled in and every column resolved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/kernel/feature_spec.hpp"
#include "spicymkl/kernel/kernel_function.hpp"

namespace spicymkl {

enum class Normalize {
  trace,     ///< divided by the trace on the training rows, as in the paper
  diagonal,  ///< k(x, z) / √(k(x, x) k(z, z))
  center,    ///< features centred on the training rows
  none
};

std::string_view normalize_name(Normalize normalize);
Normalize parse_normalize(std::string_view text, std::string_view kernel);

struct KernelSpec {
  std::string type;
  KernelParameters parameters;  ///< complete
  std::vector<Index> columns;   ///< indices into Samples
  Normalize normalize = Normalize::trace;
  /// k(x_i, x_j) + jitter · [i = j] is the kernel that is normalised: the trace and the diagonal stay 1 with a jitter.
  double jitter = 0;
  std::string name;
  std::string group;  ///< the source that the columns belong to; may be empty
  FeatureSpec features = {};
  /// A kernel of your own, which no file can hold; null: that of the library whose name is `type`.
  std::shared_ptr<const KernelType> own_type = nullptr;
};

/// Of a million kernels, say: a bank, its parts and the model share them.
using KernelSpecs = std::vector<std::shared_ptr<const KernelSpec>>;

/// An unknown name is an InputError.
const KernelType& type_of(const KernelSpec& spec);

/// The type, with parameters checked and completed in place; jitter and columns are checked as well.
const KernelType& resolve(KernelSpec& spec, Index n_columns);

/// How many features the kernel has by itself, as the inner product of known ones: the columns of a linear kernel or a
/// cosine, the monomials of a polynomial of few columns. Those of an overlap are the categories, which the table knows:
/// it has as many as columns at least. 0 where there are none, or too many.
Index n_exact_features(const KernelSpec& spec);

/// Throws InputError, naming kernel, column and row, when the kernel cannot be computed on these samples: numeric
/// kernels on categorical columns and the reverse, negative values where the kernel needs none.
void check_columns(const KernelSpec& spec, const Samples& samples);

/// "x1", "x1+x2", "x1+x2+…(12)": a short name of a set of columns.
std::string describe_columns(std::span<const Index> columns, const std::vector<std::string>& names);

}  // namespace spicymkl
