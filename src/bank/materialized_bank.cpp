#include "materialized_bank.hpp"

namespace spicymkl {

std::shared_ptr<const MaterializedBank> MaterializedBank::of(const OnTheFlyBank& source, std::vector<Index> kernels,
                                                             const MaterializedBank* previous) {
  auto bank = std::make_shared<MaterializedBank>();
  std::vector<const double*> pointers;
  std::vector<std::string> names;
  for (const Index kernel : kernels) {
    std::shared_ptr<const Matrix> gram;
    if (previous != nullptr && previous->grams_.contains(kernel)) {
      gram = previous->grams_.at(kernel);
    } else {
      auto computed = std::make_shared<Matrix>(source.n_samples(), source.n_samples());
      source.fitted(kernel).gram(source.training(), *computed, source.threads());
      gram = std::move(computed);
    }
    bank->grams_[kernel] = gram;
    pointers.push_back(gram->data());
    names.push_back(source.name(kernel));
  }
  bank->dense_ =
      std::make_unique<DenseBank>(std::move(pointers), source.n_samples(), std::move(names), source.threads(), nullptr);
  return bank;
}

}  // namespace spicymkl
