#include "spicymkl/kernel/feature_spec.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

constexpr std::array kKinds = {FeatureKind::none, FeatureKind::nystrom, FeatureKind::fourier, FeatureKind::exact};
constexpr Index kMostFeatures = 20'000;  // a Newton system of that size takes gigabytes

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw InputError(fmt::format("{}: {}", where, what));
}

FeatureKind kind_from_json(const Json& json, const std::string& where) {
  for (const FeatureKind kind : kKinds)
    if (json == feature_kind_name(kind)) return kind;
  refuse(where, fmt::format("the kind of features is {}, but it must be nystrom, fourier, exact or none", shown(json)));
}

Index rank_from_json(const Json& json, const std::string& where) {
  if (!json.is_number_integer() || json < 1 || json > kMostFeatures)
    refuse(where, fmt::format("the rank of features is {}, but it must be a whole number from 1 to {}", shown(json),
                              kMostFeatures));
  return json.get<Index>();
}

}  // namespace

std::string_view feature_kind_name(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::none:
      return "none";
    case FeatureKind::nystrom:
      return "nystrom";
    case FeatureKind::fourier:
      return "fourier";
    case FeatureKind::exact:
      return "exact";
  }
  return "";
}

FeatureSpec features_from_json(const Json& json, std::uint64_t seed, const std::string& where) {
  if (!json.is_object() || !json.contains("kind"))
    refuse(where, R"(features must be an object such as {"kind": "nystrom", "rank": 256})");
  FeatureSpec features;
  features.kind = kind_from_json(json["kind"], where);
  const bool approximate = features.kind == FeatureKind::nystrom || features.kind == FeatureKind::fourier;
  features.seed = approximate ? seed : 0;
  for (const auto& [key, value] : json.items()) {
    if (key == "kind") continue;
    if (key == "rank" && approximate) {
      features.rank = rank_from_json(value, where);
    } else if (key == "seed" && approximate) {
      if (!value.is_number_unsigned()) refuse(where, fmt::format("the seed of features is {}", shown(value)));
      features.seed = value.get<std::uint64_t>();
    } else if (key == "tolerance" && features.kind == FeatureKind::nystrom) {
      if (!value.is_number() || !(value >= 0 && value < 1))
        refuse(where, fmt::format("the tolerance of features is {}, but it must be from 0 to 1", shown(value)));
      features.tolerance = value.get<double>();
    } else {
      refuse(where, fmt::format("features of kind {} have no \"{}\"", feature_kind_name(features.kind), key));
    }
  }
  if (approximate && features.rank == 0)
    refuse(where, fmt::format("features of kind {} need a \"rank\"", feature_kind_name(features.kind)));
  return features;
}

Json features_to_json(const FeatureSpec& features) {
  Json json = {{"kind", feature_kind_name(features.kind)}};
  if (features.rank > 0) {
    json["rank"] = features.rank;
    json["seed"] = features.seed;
  }
  if (features.kind == FeatureKind::nystrom) json["tolerance"] = features.tolerance;
  return json;
}

FeatureChoice parse_feature_choice(std::string_view text) {
  if (text == "auto") return {};
  if (text == "none") return {false, {}};
  for (const FeatureKind kind : {FeatureKind::nystrom, FeatureKind::fourier}) {
    const std::string_view name = feature_kind_name(kind);
    if (!text.starts_with(name) || text.substr(name.size(), 1) != ":") continue;
    const std::string_view digits = text.substr(name.size() + 1);
    Index rank = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    if (error == std::errc() && end == digits.data() + digits.size() && rank >= 1 && rank <= kMostFeatures)
      return {false, {.kind = kind, .rank = rank}};
  }
  throw InputError(
      fmt::format("features is '{}', but it must be none, auto, nystrom:R or fourier:R, where R, the numbers per row "
                  "and kernel, is from 1 to {}",
                  text, kMostFeatures));
}

}  // namespace spicymkl
