// A function of one variable at a point, with its derivatives there.
#pragma once

namespace spicymkl {

struct SlopedValue {
  double value = 0;
  double slope = 0;
};

struct CurvedValue {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

}  // namespace spicymkl
