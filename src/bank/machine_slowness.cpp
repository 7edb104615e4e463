#include <algorithm>
#include <array>

#include "core/stopwatch.hpp"
#include "spicymkl/bank/bank_plan.hpp"

namespace spicymkl {

namespace {

constexpr Index kRows = 128, kColumns = 10;
constexpr double kReference = 34e-6;  // seconds that a tile takes on the machine of the constants

/// Rows that are the same everywhere.
Samples any_rows() {
  Samples rows{{}, Matrix(kRows, kColumns), {}};
  for (Index j = 0; j < kColumns; ++j) {
    rows.columns.push_back("x");
    for (Index i = 0; i < kRows; ++i) rows.values(i, j) = static_cast<double>((i * 37 + j * 61) % 101) / 50 - 1;
  }
  return rows;
}

}  // namespace

double machine_slowness() {
  const Samples rows = any_rows();
  KernelSpec spec;
  spec.type = "gaussian";
  spec.parameters = {{"width", 2}};
  spec.columns = all_kernels(kColumns);
  const FittedKernel kernel = FittedKernel::fit(std::move(spec), rows, 1);
  const Vector v = Vector::Ones(kRows);
  Matrix tile(kRows, kRows);
  Vector sum = Vector::Zero(kRows);
  std::array<double, 21> seconds{};
  for (double& time : seconds) {
    const Stopwatch clock;
    kernel.gram(rows, tile, 1);
    sum.noalias() += tile * v;
    time = clock.seconds();
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return sum.allFinite() ? seconds[seconds.size() / 2] / kReference : 1;
}

}  // namespace spicymkl
