#include "spicymkl/bank/mended_bank.hpp"

namespace spicymkl {

RepairedBank repaired(std::shared_ptr<const DenseBank> bank, PsdMethod method) {
  if (method == PsdMethod::refuse) return {std::move(bank), nullptr};
  const auto repairs = std::make_shared<const std::vector<PsdRepair>>(repair_gram_matrices(*bank, method));
  std::vector<const double*> grams;
  std::vector<std::string> names;
  for (Index m = 0; m < bank->n_kernels(); ++m) {
    grams.push_back(bank->gram(m).data());
    names.push_back(bank->name(m));
  }
  for (const PsdRepair& repair : *repairs) grams[static_cast<std::size_t>(repair.kernel)] = repair.gram.data();
  using Owners = std::pair<std::shared_ptr<const DenseBank>, std::shared_ptr<const std::vector<PsdRepair>>>;
  return {std::make_shared<DenseBank>(std::move(grams), bank->n_samples(), std::move(names), bank->threads(),
                                      std::make_shared<Owners>(bank, repairs), bank->watch()),
          repairs};
}

}  // namespace spicymkl
