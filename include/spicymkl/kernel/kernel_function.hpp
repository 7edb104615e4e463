// What a kernel function must answer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/kernel/base.hpp"

namespace spicymkl {

using KernelParameters = std::map<std::string, double>;

/// A map in words that other processors know, b being the base and p the parameters.
struct MapFormula {
  enum class Kind {
    base,               ///< b
    exponential,        ///< exp(−p₀b)
    polynomial,         ///< (p₀b + p₁)^p₂, p₂ a whole number
    matern,             ///< with u = p₁√b: exp(−u), times 1 + u or 1 + u + u²/3 where p₀ is 1.5 or 2.5
    rational_quadratic  ///< (1 + p₀b)^−p₁
  };
  Kind kind;
  std::array<double, 3> parameters = {};
};

/// A kernel k(x, z) = map(base(x, z)) with its parameters fixed.
class KernelFunction {
 public:
  virtual ~KernelFunction() = default;
  /// out_i = map(base_i), i < n; out may be base. To evaluate many kernels of one base, map a tile that fits the cache
  /// with each of them before going on to the next tile.
  virtual void map(const double* base, double* out, Index n) const = 0;
  /// p with map(b) = Σ p_k bᵏ, every p_k ≥ 0, where the map is such a sum of few terms; else empty. With it, a kernel
  /// of an inner product is an inner product of monomials.
  virtual std::vector<double> powers() const { return {}; }
  /// None where the map is no such formula: then it is computed by `map` alone.
  virtual std::optional<MapFormula> formula() const { return std::nullopt; }
};

enum class ParameterDomain { positive, non_negative, positive_integer, matern_nu };

struct ParameterRule {
  std::string name;
  ParameterDomain domain;
  std::optional<double> fallback;  ///< none: the user must give it
};

/// What values a column may hold.
enum class ColumnKind { numeric, non_negative, categorical };

/// What there is to know of a kernel before it is made. Each file of src/kernel/functions has one.
struct KernelType {
  std::string name;
  std::string description;  ///< its formula, one line
  Base base;
  ColumnKind columns;
  std::vector<ParameterRule> parameters;
  std::unique_ptr<KernelFunction> (*make)(const KernelParameters& complete);
  /// For a kernel of x − z: `count` columns ω drawn from its spectrum, so that k(x, z) is the mean of cos ωᵀ(x − z); x
  /// has n_columns numbers. Null where the kernel has no spectrum.
  Matrix (*frequencies)(const KernelParameters& complete, Index n_columns, Index count, std::uint64_t seed) = nullptr;
};

/// Every kernel of the library.
const std::vector<KernelType>& kernel_types();
/// An unknown name is an InputError that lists the known ones; `kernel` is the name of the kernel in its text.
const KernelType& find_kernel_type(std::string_view type, std::string_view kernel);

/// `given` with the defaults filled in. A parameter that the type does not have, lacks, or that is out of range is an
/// InputError.
KernelParameters complete_parameters(const KernelType& type, const KernelParameters& given, std::string_view kernel);

}  // namespace spicymkl
