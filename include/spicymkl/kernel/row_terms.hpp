// What a kernel knows of a row before it meets another: its term in the normalisation, and whether it is there at all.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Those of some rows, one after the other.
struct RowTermsRef {
  ConstVectorRef values, present;
};

struct RowTerms {
  Vector values;   ///< in the normalisation; empty: it has none
  Vector present;  ///< 1 where the sources of the kernel have the row, else 0, and so are its values; empty: all are 1

  RowTermsRef part(Index first, Index count) const {
    return {segment(values, first, count), segment(present, first, count)};
  }
  RowTerms at(std::span<const Index> rows) const {
    return {values.size() == 0 ? Vector() : Vector(values(rows)),
            present.size() == 0 ? Vector() : Vector(present(rows))};
  }
  double value(Index row) const { return values.size() == 0 ? 1 : values(row); }
  bool has(Index row) const { return present.size() == 0 || present(row) != 0; }

 private:
  static ConstVectorRef segment(const Vector& whole, Index first, Index count) {
    return whole.size() == 0 ? ConstVectorRef(whole) : ConstVectorRef(whole.segment(first, count));
  }
};

}  // namespace spicymkl
