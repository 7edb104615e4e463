// One problem by the C++ library alone, for the test that compares all languages:
//   spicymkl_one_problem KERNELS.npy LABELS.npy LOSS ALPHA TOL
// prints the objective, the relative gap, and the prediction of every sample, a number a line.
#include <cstdio>
#include <cstdlib>

#include "spicymkl/spicymkl.hpp"

int main(int, char** arguments) {
  using namespace spicymkl;
  const NpyArray K = read_npy(arguments[1]), labels = read_npy(arguments[2]);
  const Index n_samples = labels.size();
  std::vector<const double*> grams;
  for (Index m = 0; m < K.shape[0]; ++m) grams.push_back(K.data + m * n_samples * n_samples);
  const auto bank = std::make_shared<DenseBank>(grams, n_samples, std::vector<std::string>{}, 1, K.owner);
  const Problem problem(bank, Eigen::Map<const Vector>(labels.data, n_samples), make_loss(arguments[3]),
                        make_regularizer("block1", {.alpha = std::atof(arguments[4])}));
  const Result result = solve(problem, {.tol = std::atof(arguments[5])});
  const PrimalValue value = primal_value(problem, result.expansion);
  std::printf("%.17g\n%.17g\n", value.value, result.certificate.relative_gap);
  for (const double prediction : value.predictions) std::printf("%.17g\n", prediction);
  return result.status == Status::converged ? 0 : 1;
}
