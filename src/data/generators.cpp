#include "generators.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "core/closest.hpp"
#include "core/random_draws.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Random = Draws<SplitMix64>;

GeneratedData blank(Index n_samples, Index n_columns) {
  GeneratedData data{{}, Matrix(n_samples, n_columns), Vector(n_samples)};
  for (Index j = 0; j < n_columns; ++j) data.columns.push_back(fmt::format("x{}", j + 1));
  return data;
}

/// Breiman's two classes of 20 normal columns, with means of ±shift, or of 0 and shift where one class is twice as
/// wide.
GeneratedData two_normals(Index n_samples, Random& random, bool ring) {
  GeneratedData data = blank(n_samples, 20);
  const double shift = 2 / std::sqrt(20.0);
  for (Index i = 0; i < n_samples; ++i) {
    const double label = data.labels(i) = random.uniform() < 0.5 ? 1 : -1;
    const double mean = !ring ? label * shift : label > 0 ? 0 : shift, width = ring && label > 0 ? 2 : 1;
    for (Index j = 0; j < 20; ++j) data.values(i, j) = mean + width * random.normal();
  }
  return data;
}

GeneratedData waveform(Index n_samples, Random& random) {
  GeneratedData data = blank(n_samples, 21);
  constexpr std::array<double, 3> kCentres = {6, 14, 10};  // triangular waves of height 6
  const auto wave = [&](int which, Index j) {
    return std::fmax(6 - std::abs(static_cast<double>(j) - kCentres[which]), 0.0);
  };
  for (Index i = 0; i < n_samples; ++i) {
    const int kind = static_cast<int>(3 * random.uniform());  // mixes waves kind and kind + 1
    const double mix = random.uniform();
    data.labels(i) = kind == 1 ? 1 : -1;
    for (Index j = 0; j < 21; ++j)
      data.values(i, j) = mix * wave(kind, j) + (1 - mix) * wave((kind + 1) % 3, j) + random.normal();
  }
  return data;
}

GeneratedData multisource(Index n_samples, Random& random) {
  const std::array<std::string, 4> sources = {"expression", "methylation", "imaging", "clinical"};
  GeneratedData data = blank(n_samples, 40);
  for (Index j = 0; j < 40; ++j) data.columns[j] = fmt::format("{}_{}", sources[j / 10], j % 10 + 1);
  for (Index i = 0; i < n_samples; ++i) {
    for (Index j = 0; j < 40; ++j) data.values(i, j) = random.normal();
    const auto x = data.values.row(i);
    const double linear = x.head(5).sum() / std::sqrt(5.0);                       // expression
    const double radial = (x.segment(20, 3).squaredNorm() - 3) / std::sqrt(6.0);  // imaging, no linear trace
    data.labels(i) = linear + 1.5 * radial + 0.5 * random.normal() > 0 ? 1 : -1;
  }
  return data;
}

using Generator = std::function<GeneratedData(Index, Random&)>;

const std::map<std::string, Generator, std::less<>>& generators() {
  static const std::map<std::string, Generator, std::less<>> table = {
      {"ringnorm", [](Index n, Random& random) { return two_normals(n, random, true); }},
      {"twonorm", [](Index n, Random& random) { return two_normals(n, random, false); }},
      {"waveform", waveform},
      {"multisource", multisource}};
  return table;
}

}  // namespace

std::string generator_names() {
  std::string names;
  for (const auto& [name, generator] : generators()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

GeneratedData generate_data(std::string_view name, Index n_samples, std::uint64_t seed) {
  const auto found = generators().find(name);
  if (found == generators().end()) {
    std::vector<std::string> names;
    for (const auto& [known, generator] : generators()) names.push_back(known);
    throw InputError(fmt::format("there is no data set '{}'{}; choose one of {}", name, did_you_mean(name, names),
                                 generator_names()));
  }
  if (n_samples < 2) throw InputError(fmt::format("{} samples were asked for; at least 2 are needed", n_samples));
  Random random(seed);
  return found->second(n_samples, random);
}

}  // namespace spicymkl
