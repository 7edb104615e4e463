#include "spicymkl/io/views.hpp"

#include <fmt/format.h>

#include "cell.hpp"
#include "core/closest.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

MissingView parse_missing_view(std::string_view name) {
  for (const MissingView missing : {MissingView::error, MissingView::drop, MissingView::zero})
    if (name == name_of(missing)) return missing;
  throw InputError(fmt::format("missing view {} is not known{}; give error, drop or zero", in_quotes(name),
                               did_you_mean(name, {"error", "drop", "zero"})));
}

std::string_view name_of(MissingView missing) {
  switch (missing) {
    case MissingView::drop:
      return "drop";
    case MissingView::zero:
      return "zero";
    case MissingView::error:
      break;
  }
  return "error";
}

Vector Views::presence(std::span<const Index> columns, Index first, Index count) const {
  if (present.size() == 0) return {};
  std::vector<bool> asked(names.size(), false);
  for (const Index column : columns) asked[of_column[column]] = true;
  Vector all = Vector::Ones(count);
  for (std::size_t s = 0; s < asked.size(); ++s)
    if (asked[s]) all = all.cwiseProduct(present.col(static_cast<Index>(s)).segment(first, count));
  return (all.array() == 1).all() ? Vector() : all;
}

std::vector<Index> Views::present_rows(std::span<const Index> columns, Index n_rows) const {
  const Vector all = presence(columns);
  std::vector<Index> rows;
  for (Index i = 0; i < n_rows; ++i)
    if (all.size() == 0 || all(i) != 0) rows.push_back(i);
  return rows;
}

Views Views::rows(std::span<const Index> selected) const {
  Views part{names, of_column, missing, Matrix(present.size() > 0 ? std::ssize(selected) : 0, present.cols())};
  for (Index i = 0; i < part.present.rows(); ++i) part.present.row(i) = present.row(selected[i]);
  return part;
}

Views Views::columns(std::span<const Index> selected) const {
  Views part{names, {}, missing, present};
  if (several())
    for (const Index column : selected) part.of_column.push_back(of_column[column]);
  return part;
}

}  // namespace spicymkl
