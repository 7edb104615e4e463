#include "spicymkl/pipeline/missingness.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace spicymkl {

namespace {

/// "mrna" of "mrna_12"; the name itself if it has no such number.
std::string family_of(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool numbered = last != std::string::npos && last > 0 && last + 1 < name.size();
  return numbered && std::string("_.-").find(name[last]) != std::string::npos ? name.substr(0, last) : name;
}

std::vector<ColumnGroup> families(const std::vector<std::string>& columns) {
  std::map<std::string, std::size_t> place;
  std::vector<ColumnGroup> list;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto [found, is_new] = place.try_emplace(family_of(columns[j]), list.size());
    if (is_new) list.push_back({found->first, {}});
    list[found->second].columns.push_back(static_cast<Index>(j));
  }
  for (ColumnGroup& family : list)
    if (family.columns.size() == 1) family.name = columns[family.columns.front()];
  return list;
}

/// P(χ²_k > x): exact for one degree of freedom, else by the Wilson-Hilferty cube root, good to a few per cent of p
/// around 0.01, where it is used.
double chi_squared_tail(double x, double k) {
  if (k == 1) return std::erfc(std::sqrt(x / 2));
  const double variance = 2 / (9 * k);
  const double z = (std::cbrt(x / k) - (1 - variance)) / std::sqrt(variance);
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// Per row, the share of these columns that is missing.
Vector missing_shares(const Table& table, const std::vector<Index>& columns) {
  Vector shares = Vector::Zero(table.rows());
  for (const Index j : columns)
    for (Index i = 0; i < table.rows(); ++i) shares(i) += is_missing_cell(table, i, j);
  return shares / static_cast<double>(columns.size());
}

void compare_classes(const Vector& shares, const Target& target, SourceMissing& source) {
  const std::size_t n_classes = target.classes.size();
  std::vector<double> rows(n_classes, 0);
  source.class_share.assign(n_classes, 0);
  for (std::size_t i = 0; i < target.codes.size(); ++i) {
    const Index c = target.codes[i];
    rows[c] += 1;
    source.class_share[c] += shares(static_cast<Index>(i));
  }
  const double mean = shares.mean(), total = (shares.array() - mean).square().sum();
  double between = 0;
  for (std::size_t c = 0; c < n_classes; ++c) {
    source.class_share[c] /= std::max(rows[c], 1.0);
    between += rows[c] * std::pow(source.class_share[c] - mean, 2);
  }
  if (total > 0)
    source.p_value = chi_squared_tail((static_cast<double>(shares.size()) - 1) * between / total,
                                      static_cast<double>(n_classes) - 1);
}

double correlation(ConstVectorRef a, ConstVectorRef b) {
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  const double scale = std::sqrt(x.squaredNorm() * y.squaredNorm());
  return scale > 0 ? x.dot(y) / scale : 0;
}

void compare_numbers(const Vector& shares, const Target& target, SourceMissing& source) {
  const Index n_targets = target.n_scores();
  for (Index k = 0; k < n_targets; ++k) {
    const double r = correlation(shares, target.has_several() ? Vector(target.several.col(k)) : target.numbers);
    if (std::abs(r) > std::abs(source.correlation)) source.correlation = r;
  }
  const double tail =
      chi_squared_tail((static_cast<double>(shares.size()) - 1) * source.correlation * source.correlation, 1);
  source.p_value = std::min(1.0, static_cast<double>(n_targets) * tail);  // Bonferroni's
}

/// `shares` of the columns of a source are missing, row by row.
SourceMissing spread_of(const ColumnGroup& group, const Vector& shares, const Target& target) {
  SourceMissing source;
  source.name = group.name;
  source.n_columns = std::ssize(group.columns);
  source.n_missing = std::llround(shares.sum() * static_cast<double>(group.columns.size()));
  source.share = shares.mean();
  if (target.classes.empty()) compare_numbers(shares, target, source);
  else compare_classes(shares, target, source);
  return source;
}

}  // namespace

bool SourceMissing::is_uneven() const {
  constexpr double kChance = 0.01, kMatters = 0.05;
  if (p_value >= kChance) return false;
  if (class_share.empty()) return share >= kMatters / 2;
  const auto [least, most] = std::minmax_element(class_share.begin(), class_share.end());
  return *most - *least >= kMatters;
}

std::vector<SourceMissing> missing_by_source(const Table& table, const Target& target,
                                             const std::vector<ColumnGroup>& groups) {
  std::vector<SourceMissing> sources;
  if (!table.values.array().isNaN().any()) return sources;
  for (const ColumnGroup& group : groups.empty() ? families(table.columns) : groups) {
    if (group.columns.empty()) continue;
    const Vector shares = missing_shares(table, group.columns);
    if ((shares.array() > 0).any()) sources.push_back(spread_of(group, shares, target));
  }
  return sources;
}

std::vector<SourceMissing> missing_views(const Views& views, const Target& target) {
  std::vector<SourceMissing> sources;
  for (const ColumnGroup& source : groups_of_sources(views))
    if (const Vector present = views.presence(source.columns); present.size() > 0)
      sources.push_back(spread_of(source, 1 - present.array(), target));
  return sources;
}

}  // namespace spicymkl
