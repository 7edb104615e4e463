// The smallest program against an installed SpicyMKL: two kernels, of which the first explains the labels.
#include <cstdio>

#include "spicymkl/spicymkl.hpp"

int main() {
  using namespace spicymkl;
  const Vector y = (Vector(4) << 1, 1, -1, -1).finished();
  const Matrix informative = y * y.transpose();
  const Matrix identity = Matrix::Identity(4, 4);
  const auto bank = std::make_shared<DenseBank>(std::vector<const double*>{informative.data(), identity.data()}, 4,
                                                std::vector<std::string>{"labels", "noise"}, 1, nullptr);
  const Problem problem(bank, y, make_loss("logistic"), make_regularizer("block1", {.alpha = 0.5}));
  const Result result = solve(problem);
  std::printf("spicymkl %s: %s, %zu active kernel(s)\n", kVersion, result.message.c_str(),
              result.expansion.kernels.size());
  const bool expected = result.status == Status::converged && result.expansion.kernels == std::vector<Index>{0};
  return expected ? 0 : 1;
}
