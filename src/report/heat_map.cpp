#include "heat_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "spicymkl/model/sources.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kMostRows = 30, kMostColumns = 60;
constexpr Index kFewSources = 12;     // that are all shown; of more, those without a weight would be most of the map
constexpr double kLeastFilled = 0.2;  // of the cells; with less there is no structure to see
constexpr double kSameForAll = 0.9;   // of the cells; with less, parameters follow the data of each source

/// A number for every different key, in order of appearance.
template <class Key>
class Numbering {
 public:
  Index number(const Key& key) {
    const auto [place, is_new] = numbers_.try_emplace(key, std::ssize(keys_));
    if (is_new) keys_.push_back(key);
    return place->second;
  }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::map<Key, Index> numbers_;
  std::vector<Key> keys_;
};

/// One column: a type, and its parameters or, where these follow the data of each source, which of several it is.
struct Column {
  Index type = 0;  ///< by first appearance
  KernelParameters parameters;
  bool operator<(const Column& other) const {
    return std::tie(type, parameters) < std::tie(other.type, other.parameters);
  }
};

/// Where each kernel stands: its source, and its type and parameters.
struct Places {
  std::vector<std::string> sources, types;
  std::vector<Column> columns;
  std::vector<Index> row, column;  ///< of each kernel
};

void find_sources(const Model& model, Places& places) {
  places.row.resize(model.n_kernels());
  for (const Source& source : kernel_sources(model)) {
    for (const Index m : source.kernels) places.row[m] = std::ssize(places.sources);
    places.sources.push_back(source.name);
  }
}

/// The type and parameters of every kernel as they are.
std::vector<Column> columns_by_value(const KernelSpecs& specs, const Places&, Numbering<std::string>& types) {
  std::vector<Column> columns;
  for (const auto& spec : specs) columns.push_back({types.number(spec->type), spec->parameters});
  return columns;
}

/// The first, second, … of its type among the kernels of its source.
std::vector<Column> columns_by_rank(const KernelSpecs& specs, const Places& places, Numbering<std::string>& types) {
  std::map<std::pair<Index, Index>, std::vector<std::size_t>> kernels;  // of a source and type
  for (std::size_t m = 0; m < specs.size(); ++m) kernels[{places.row[m], types.number(specs[m]->type)}].push_back(m);
  std::vector<Column> columns(specs.size());
  for (auto& [place, list] : kernels) {
    std::stable_sort(list.begin(), list.end(),
                     [&](std::size_t a, std::size_t b) { return specs[a]->parameters < specs[b]->parameters; });
    for (std::size_t k = 0; k < list.size(); ++k)
      columns[list[k]] = {place.second, {{"smallest to largest", static_cast<double>(k + 1)}}};
  }
  return columns;
}

/// Columns in the order of types, then of parameters.
void place_columns(const std::vector<Column>& of_kernel, Places& places) {
  std::map<Column, Index> numbers;
  for (const Column& column : of_kernel) numbers[column] = 0;
  for (auto& [column, number] : numbers) {
    number = std::ssize(places.columns);
    places.columns.push_back(column);
  }
  for (const Column& column : of_kernel) places.column.push_back(numbers[column]);
}

Matrix arranged(const Places& places, const Vector& shares) {
  Matrix cells = Matrix::Constant(std::ssize(places.sources), std::ssize(places.columns), NAN);
  for (Index m = 0; m < std::ssize(places.row); ++m) {
    double& cell = cells(places.row[m], places.column[m]);
    cell = (std::isnan(cell) ? 0 : cell) + shares(m);
  }
  return cells;
}

bool worth_showing(const Matrix& cells, double least_filled) {
  const auto filled = static_cast<double>((cells.array() == cells.array()).count());  // a NaN differs from itself
  return cells.rows() > 1 && cells.cols() > 1 && filled >= least_filled * static_cast<double>(cells.size());
}

/// The places of the `most` largest sums, the largest first.
std::vector<Index> heaviest(const Vector& sums, std::size_t most) {
  std::vector<Index> order(sums.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sums(a) > sums(b); });
  order.resize(std::min(most, order.size()));
  return order;
}

/// The names of the parameters in which columns of one type differ.
std::vector<std::string> differing(std::span<const Column> columns) {
  std::map<std::string, std::set<double>> values;
  for (const Column& column : columns)
    for (const auto& [name, value] : column.parameters) values[name].insert(value);
  std::vector<std::string> names;
  for (const auto& [name, different] : values)
    if (different.size() > 1) names.push_back(name);
  return names;
}

std::string values_text(const Column& column, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const auto value = column.parameters.find(name);
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        value == column.parameters.end() ? "" : fmt::format("{:.3g}", value->second));
  }
  return text;
}

void name_columns(const std::vector<Column>& columns, const std::vector<std::string>& types, HeatMap& map) {
  for (auto begin = columns.begin(); begin != columns.end();) {
    const auto end = std::find_if(begin, columns.end(), [&](const Column& c) { return c.type != begin->type; });
    const std::vector<std::string> names = differing({begin, end});
    map.blocks.push_back(
        {types[begin->type], fmt::format("{}", fmt::join(names, ", ")), static_cast<Index>(end - begin)});
    for (; begin != end; ++begin) map.columns.push_back(values_text(*begin, names));
  }
}

HeatMap trimmed(const Places& places, const Matrix& cells) {
  const Matrix weights = cells.array().isNaN().select(0, cells);
  const Vector sums = weights.rowwise().sum();
  std::vector<Index> rows = heaviest(sums, kMostRows);
  if (cells.rows() > kFewSources) std::erase_if(rows, [&](Index row) { return !(sums(row) > 0); });
  std::vector<Index> kept = heaviest(weights.colwise().sum().transpose(), kMostColumns);
  std::ranges::sort(kept);
  HeatMap map;
  map.n_sources = cells.rows();
  map.n_selected = (sums.array() > 0).count();
  map.share = cells(rows, kept);
  for (const Index row : rows) map.rows.push_back(places.sources[row]);
  std::vector<Column> columns;
  for (const Index column : kept) columns.push_back(places.columns[column]);
  name_columns(columns, places.types, map);
  return map;
}

}  // namespace

Vector weight_shares(const Model& model, const Fit& fit) {
  const Vector weights = fit.weights(model.n_kernels());
  const double sum = weights.sum();
  return sum > 0 ? Vector(weights / sum) : weights;
}

Vector weight_shares(const Model& model) {
  Vector shares = Vector::Zero(model.n_kernels());
  for (const Fit& fit : model.fits) shares += weight_shares(model, fit) / static_cast<double>(model.fits.size());
  return shares;
}

std::optional<HeatMap> heat_map(const Model& model) {
  if (!model.table) return std::nullopt;
  const Vector shares = weight_shares(model);
  for (const auto& [columns_of, least_filled] :
       {std::pair{&columns_by_value, kSameForAll}, std::pair{&columns_by_rank, kLeastFilled}}) {
    Places places;
    find_sources(model, places);
    Numbering<std::string> types;
    place_columns(columns_of(model.table->specs, places, types), places);
    places.types = types.keys();
    const Matrix cells = arranged(places, shares);
    if (worth_showing(cells, least_filled)) return trimmed(places, cells);
  }
  return std::nullopt;
}

}  // namespace spicymkl
