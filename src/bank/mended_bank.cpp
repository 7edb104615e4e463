#include "spicymkl/bank/mended_bank.hpp"

namespace spicymkl {

std::shared_ptr<const DenseBank> mended_bank(const std::shared_ptr<const DenseBank>& bank,
                                             const std::shared_ptr<const std::vector<PsdRepair>>& repairs) {
  std::vector<const double*> grams;
  std::vector<std::string> names;
  for (Index m = 0; m < bank->n_kernels(); ++m) {
    grams.push_back(bank->gram(m).data());
    names.push_back(bank->name(m));
  }
  for (const PsdRepair& repair : *repairs) grams[static_cast<std::size_t>(repair.kernel)] = repair.gram.data();
  using Owners = std::pair<std::shared_ptr<const DenseBank>, std::shared_ptr<const std::vector<PsdRepair>>>;
  return std::make_shared<DenseBank>(std::move(grams), bank->n_samples(), std::move(names), bank->threads(),
                                     std::make_shared<Owners>(bank, repairs));
}

}  // namespace spicymkl
