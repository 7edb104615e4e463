#include "spicymkl/kernel/normalization.hpp"

namespace spicymkl {

void Normalization::apply(MatrixRef block, ConstVectorRef row_terms, ConstVectorRef column_terms) const {
  switch (kind) {
    case Normalize::none:
      return;
    case Normalize::trace:
      block *= 1 / trace;
      return;
    case Normalize::diagonal:
      for (Index j = 0; j < block.cols(); ++j) block.col(j).array() *= row_terms.array() * column_terms(j);
      return;
    case Normalize::center:
      for (Index j = 0; j < block.cols(); ++j)
        block.col(j).array() -= row_terms.array() + (column_terms(j) - grand_mean);
  }
}

double Normalization::scaled_jitter(double jitter, double term) const {
  switch (kind) {
    case Normalize::trace:
      return jitter / trace;
    case Normalize::diagonal:
      return jitter * term * term;
    case Normalize::center:
    case Normalize::none:
      break;
  }
  return jitter;
}

void Normalization::apply_to_diagonal(VectorRef diagonal, ConstVectorRef terms) const {
  switch (kind) {
    case Normalize::none:
      return;
    case Normalize::trace:
      diagonal *= 1 / trace;
      return;
    case Normalize::diagonal:
      diagonal.setOnes();
      return;
    case Normalize::center:
      diagonal.array() += grand_mean - 2 * terms.array();
  }
}

}  // namespace spicymkl
