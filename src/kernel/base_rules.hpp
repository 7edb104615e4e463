// One rule per base: what one column adds to the sum, for a pack of rows x and one row z.
#pragma once

#include <limits>

#include "core/simd.hpp"

namespace spicymkl {

struct SquaredDifference {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Pack difference = x - z;
    sum += difference * difference;
  }
};

struct AbsoluteDifference {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    sum += (Pack)((Bits)(x - z) & std::numeric_limits<std::int64_t>::max());  // all bits but the sign
  }
};

struct Product {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    sum += x * z;
  }
};

struct ChiSquaredDifference {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Pack total = x + z;
    const Pack difference = x - z;
    sum += (Pack)((Bits)(difference * difference / total) & (Bits)(total != 0.0));
  }
};

struct Minimum {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Bits less = (Bits)(x < z);
    sum += (Pack)(((Bits)x & less) | ((Bits)z & ~less));
  }
};

struct Equal {
  template <class Pack, class Bits>
  SPICYMKL_INLINE static void add(Pack& sum, const Pack& x, const Pack& z) {
    const Pack one = Pack{} + 1.0;
    sum += (Pack)((Bits)one & (Bits)(x == z));
  }
};

}  // namespace spicymkl
