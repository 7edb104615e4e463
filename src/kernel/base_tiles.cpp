#include "base_tiles.hpp"

#include "base_sums.hpp"

namespace spicymkl {

namespace {

constexpr Index kManyColumns = 64;  // with fewer, the product saves less than taking values from it costs
constexpr Index kManyPoints = 4;    // z; the same

bool has_product(Base base) {
  return base == Base::inner_product || base == Base::cosine || base == Base::squared_distance;
}

/// Values ← those of the base, once their sums or products are there.
void finish_sums(Base base, const BaseTiles::Begin& begin, MatrixRef values) {
  if (base == Base::matches) values /= static_cast<double>(begin.rows->columns().size());
  if (base != Base::cosine) return;
  const auto row_scale = begin.rows->inverse_norms().segment(begin.first_row, values.rows()).array();
  for (Index j = 0; j < values.cols(); ++j)
    values.col(j).array() *= row_scale * begin.columns->inverse_norms()(begin.first_column + j);
}

}  // namespace

Base family_base(Base base, Index n_table_columns) {
  return has_product(base) && n_table_columns >= kManyColumns ? Base::inner_product : base;
}

BaseTiles::BaseTiles(std::vector<Base> bases, Index n_table_columns) : bases_(std::move(bases)) {
  const bool distances = bases_.front() == Base::squared_distance && n_table_columns >= kManyColumns;
  if (distances || bases_.size() > 1) product_.emplace(n_table_columns);  // one sum of products needs no other
}

void BaseTiles::compute(const Begin& begin, std::span<MatrixRef> outs) {
  const Index n_rows = outs.front().rows(), n_columns = outs.front().cols();
  const bool from_product = product_ && n_columns >= kManyPoints;
  if (from_product)
    product_->compute({begin.rows, begin.first_row, n_rows, begin.columns, begin.first_column, n_columns});
  for (std::size_t b = 0; b < bases_.size(); ++b) {
    if (!from_product) sum_base(bases_[b], *begin.rows, begin.first_row, *begin.columns, begin.first_column, outs[b]);
    else if (bases_[b] == Base::squared_distance) product_->squared_distances(outs[b]);
    else product_->inner_products(outs[b]);
    finish_sums(bases_[b], begin, outs[b]);
  }
}

}  // namespace spicymkl
