#include "materialized_bank.hpp"

#include "tiles.hpp"

namespace spicymkl {

std::shared_ptr<const MaterializedBank> MaterializedBank::of(const OnTheFlyBank& source, std::vector<Index> kernels,
                                                             const MaterializedBank* previous) {
  auto bank = std::make_shared<MaterializedBank>(source.watch());
  std::vector<const FittedKernel*> missing;
  std::vector<Index> family;
  std::vector<double*> targets;
  for (const Index kernel : kernels) {
    if (previous != nullptr && previous->grams_.contains(kernel)) {
      bank->grams_[kernel] = previous->grams_.at(kernel);
      continue;
    }
    auto gram = std::make_shared<Matrix>(source.n_samples(), source.n_samples());
    missing.push_back(&source.fitted(kernel));
    family.push_back(source.family(kernel));
    targets.push_back(gram->data());
    bank->grams_[kernel] = std::move(gram);
  }
  fill_grams(source.training(), missing, family, source.threads(), source.watch(),
             [&](Index m) { return targets[static_cast<std::size_t>(m)]; });
  std::vector<const double*> pointers;
  std::vector<std::string> names;
  for (const Index kernel : kernels) {
    pointers.push_back(bank->grams_.at(kernel)->data());
    names.push_back(source.name(kernel));
  }
  bank->dense_ = std::make_unique<DenseBank>(std::move(pointers), source.n_samples(), std::move(names),
                                             source.threads(), nullptr, source.watch());
  return bank;
}

}  // namespace spicymkl
