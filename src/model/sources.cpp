#include "spicymkl/model/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace spicymkl {

namespace {

/// Columns of one kind, or of both.
struct ColumnKind {
  std::string_view word;
  std::vector<Index> used = {};  ///< that some kernel reads, in order
  std::size_t n_in_table = 0;
};

class ColumnsInUse {
 public:
  explicit ColumnsInUse(const TableModel& table) : preparation_(table.preparation) {
    std::vector<bool> used(static_cast<std::size_t>(preparation_.n_columns()));
    for (const auto& spec : table.specs)
      for (const Index column : spec->columns) used[column] = true;
    for (Index j = 0; j < preparation_.n_columns(); ++j)
      for (ColumnKind* const kind : {&all_, preparation_.is_categorical(j) ? &categorical_ : &numeric_}) {
        ++kind->n_in_table;
        if (used[j]) kind->used.push_back(j);
      }
  }

  /// "all columns" where the kernel reads all, or all of its kind; else their names.
  std::string describe(const std::vector<Index>& columns) const {
    constexpr std::size_t kFewNames = 3;
    std::vector<Index> read = columns;
    std::ranges::sort(read);
    read.erase(std::unique(read.begin(), read.end()), read.end());
    if (read.size() > 1)
      for (const ColumnKind* const kind : {&all_, &numeric_, &categorical_})
        if (read == kind->used) {
          if (read.size() == kind->n_in_table) return fmt::format("all {}columns", kind->word);
          if (read.size() > kFewNames) return fmt::format("all {} {}columns in use", read.size(), kind->word);
        }
    return describe_columns(columns, preparation_.columns);
  }

 private:
  const Preparation& preparation_;
  ColumnKind all_{""}, numeric_{"numeric "}, categorical_{"categorical "};
};

/// Kernels of one group, or of no group and the same columns.
std::vector<Source> sources_of_table(const TableModel& table) {
  const ColumnsInUse in_use(table);
  std::map<std::pair<std::string, std::vector<Index>>, std::size_t> places;
  std::vector<Source> sources;
  for (Index m = 0; m < std::ssize(table.specs); ++m) {
    const KernelSpec& spec = *table.specs[m];
    const auto key = std::pair{spec.group, spec.group.empty() ? spec.columns : std::vector<Index>()};
    const auto [place, is_new] = places.try_emplace(key, sources.size());
    if (is_new) sources.push_back({spec.group.empty() ? in_use.describe(spec.columns) : spec.group, {}, 0, {}, {}});
    sources[place->second].kernels.push_back(m);
  }
  return sources;
}

std::vector<Source> sources_of_grams(const Model& model) {
  std::vector<Source> sources;
  for (Index m = 0; m < model.n_kernels(); ++m) sources.push_back({model.kernel_names[m], {m}, 0, {}, {}});
  return sources;
}

/// A group may be called like a column, and long lists of columns begin alike.
void tell_apart(std::vector<Source>& sources) {
  std::set<std::string> taken;
  for (Source& source : sources) {
    const std::string wanted = source.name;
    for (int copy = 2; !taken.insert(source.name).second; ++copy) source.name = fmt::format("{} #{}", wanted, copy);
  }
}

void add_up(const Model& model, std::vector<Source>& sources) {
  const Index n_fits = std::ssize(model.fits);
  std::vector<Source*> source_of(model.n_kernels());
  for (Source& source : sources) {
    source.weight = source.norm = Vector::Zero(n_fits);
    for (const Index m : source.kernels) source_of[m] = &source;
  }
  for (const Index m : active_kernels(model.fits)) ++source_of[m]->n_active;
  for (Index f = 0; f < n_fits; ++f) {
    const Fit& fit = model.fits[f];
    const Vector weights = fit.active_weights();
    for (Index k = 0; k < weights.size(); ++k) {
      Source& source = *source_of[fit.expansion.kernels[k]];
      source.weight(f) += weights(k);
      source.norm(f) += fit.certificate.norms(k);
    }
  }
}

}  // namespace

std::vector<Source> kernel_sources(const Model& model) {
  std::vector<Source> sources = model.table ? sources_of_table(*model.table) : sources_of_grams(model);
  tell_apart(sources);
  add_up(model, sources);
  return sources;
}

Matrix weight_shares(const std::vector<Source>& sources) {
  const Index n_fits = sources.empty() ? 0 : sources.front().weight.size();
  Matrix shares(std::ssize(sources), n_fits);
  for (Index s = 0; s < shares.rows(); ++s) shares.row(s) = sources[s].weight.transpose();
  for (Index f = 0; f < n_fits; ++f)
    if (const double sum = shares.col(f).sum(); sum > 0) shares.col(f) /= sum;
  return shares;
}

}  // namespace spicymkl
