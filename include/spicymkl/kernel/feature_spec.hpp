// Kernels by features: k̃(x, z) = φ(x)ᵀφ(z), where φ has few numbers, so that a kernel on a million rows is a table of
// a million rows, never an N×N matrix.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

enum class FeatureKind {
  none,     ///< the kernel itself
  nystrom,  ///< its values at some training rows, the landmarks, made orthonormal
  fourier,  ///< cosines and sines of frequencies drawn from its spectrum
  exact     ///< features that the kernel has by itself: nothing is left out
};

struct FeatureSpec {
  FeatureKind kind = FeatureKind::none;
  Index rank = 0;           ///< numbers of φ at most; exact ones are as many as they are
  double tolerance = 1e-7;  ///< nystrom: part of the trace that may be left out, so that fewer numbers do
  std::uint64_t seed = 0;   ///< of landmarks and frequencies

  bool operator==(const FeatureSpec&) const = default;
};

std::string_view feature_kind_name(FeatureKind kind);

/// {"kind": "nystrom", "rank": 256}, with "seed" and "tolerance" where they are given. What is wrong is an InputError
/// that begins with `where`. The seed is `seed` where the object has none.
FeatureSpec features_from_json(const nlohmann::json& json, std::uint64_t seed, const std::string& where);
nlohmann::json features_to_json(const FeatureSpec& features);

/// What the user asks of all kernels: none, auto, nystrom:R or fourier:R.
struct FeatureChoice {
  bool automatic = true;  ///< none or nystrom, by cost
  FeatureSpec features = {};
};

FeatureChoice parse_feature_choice(std::string_view text);

}  // namespace spicymkl
