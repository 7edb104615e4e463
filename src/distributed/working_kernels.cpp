#include "working_kernels.hpp"

#include "bank/composite_bank.hpp"
#include "bank/feature_bank.hpp"
#include "bank/low_rank_bank.hpp"
#include "core/large_room.hpp"
#include "kernel/tiles.hpp"
#include "spicymkl/bank/forwarding_bank.hpp"
#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl {

namespace {

/// Drops what is not among these.
template <class Value>
void keep_only(const std::vector<Index>& kernels, std::map<Index, Value>& all) {
  std::map<Index, Value> kept;
  for (const Index kernel : kernels)
    if (const auto found = all.find(kernel); found != all.end()) kept.insert(all.extract(found));
  all = std::move(kept);
}

template <class Value>
std::vector<Index> missing_in(const std::map<Index, Value>& all, const std::vector<Index>& kernels) {
  std::vector<Index> missing;
  for (const Index kernel : kernels)
    if (!all.contains(kernel)) missing.push_back(kernel);
  return missing;
}

}  // namespace

std::shared_ptr<const KernelBank> WorkingKernels::subset(const std::vector<Index>& kernels) {
  if (kernels.empty()) return bank_.KernelBank::subsets().of({});
  enum Form { narrow, matrix, features, kForms };
  std::vector<Index> of_form[kForms];
  std::vector<std::pair<Form, Index>> where;
  for (const Index kernel : kernels) {
    const Form form = bank_.by_features(kernel) ? features : bank_.is_low_rank(kernel) ? narrow : matrix;
    where.emplace_back(form, std::ssize(of_form[form]));
    of_form[form].push_back(kernel);
  }
  if (std::ssize(of_form[matrix]) > bank_.room_over_ranks()) {
    factors_.clear();
    matrices_.clear();
    session_.reset();
    return std::make_shared<ForwardingBank>(bank_, kernels);
  }
  std::vector<std::shared_ptr<const KernelBank>> parts;
  Index part_of[kForms] = {};
  for (const Form form : {narrow, matrix, features}) {
    part_of[form] = std::ssize(parts);
    if (of_form[form].empty()) continue;
    parts.push_back(form == narrow   ? low_rank(of_form[form])
                    : form == matrix ? dense(of_form[form])
                                     : by_features(of_form[form]));
  }
  if (parts.size() == 1) return parts.front();
  std::vector<CompositeBank::Place> places;
  for (const auto& [form, number] : where) places.push_back({part_of[form], number});
  return std::make_shared<CompositeBank>(std::move(parts), std::move(places), bank_.work_bytes());
}

int WorkingKernels::threads() const { return bank_.spread().team->office().lone_threads(bank_.threads()); }

std::vector<std::string> WorkingKernels::names(const std::vector<Index>& kernels) const {
  std::vector<std::string> all;
  for (const Index kernel : kernels) all.push_back(bank_.name(kernel));
  return all;
}

void WorkingKernels::fetch_factors(const std::vector<Index>& kernels) {
  const std::vector<Index> missing = missing_in(factors_, kernels);
  if (missing.empty()) return;
  // By rank, in the order in which answers come.
  std::vector<Index> in_order;
  for (const auto& of_rank : bank_.positions(missing))
    for (const Index k : of_rank) in_order.push_back(missing[k]);
  Index width = 0;
  for (const Index kernel : in_order) width += bank_.factor_width(kernel);
  Matrix all(bank_.n_samples(), width);
  bank_.weighted_factor(in_order, Vector::Ones(std::ssize(in_order)), all);
  Index first = 0;
  for (const Index kernel : in_order) {
    factors_[kernel] = all.middleCols(first, bank_.factor_width(kernel));
    first += bank_.factor_width(kernel);
  }
}

std::shared_ptr<const KernelBank> WorkingKernels::low_rank(const std::vector<Index>& kernels) {
  keep_only(kernels, factors_);
  fetch_factors(kernels);
  std::vector<Matrix> factors;
  Vector missing(std::ssize(kernels));
  for (const Index kernel : kernels) {
    missing(std::ssize(factors)) = bank_.missing_trace(kernel);
    factors.push_back(factors_[kernel]);
  }
  return std::make_shared<LowRankBank>(std::move(factors), std::move(missing), bank_.n_samples(), names(kernels),
                                       threads(), bank_.watch(), bank_.work_bytes());
}

void WorkingKernels::compute_matrices(const std::vector<Index>& kernels) {
  if (kernels.empty()) return;
  const Index n = bank_.n_samples();
  const auto room = large_room<double>(static_cast<std::size_t>(n * n * std::ssize(kernels)));
  std::vector<FittedKernel> recipes;
  for (const Index kernel : kernels) recipes.push_back(bank_.recipe().kernel(kernel));
  std::vector<const FittedKernel*> pointers;
  for (const FittedKernel& recipe : recipes) pointers.push_back(&recipe);
  fill_grams(pointers, families_of(recipes), *bank_.recipe().samples, threads(), bank_.watch(),
             [&](Index m) { return Eigen::Map<Matrix>(room.get() + m * n * n, n, n); });
  for (Index k = 0; k < std::ssize(kernels); ++k) matrices_[kernels[k]] = {room, room.get() + k * n * n};
}

std::shared_ptr<const KernelBank> WorkingKernels::dense(const std::vector<Index>& kernels) {
  if (bank_.worth_spreading(std::ssize(kernels))) return over_ranks(kernels);
  keep_only(kernels, matrices_);
  compute_matrices(missing_in(matrices_, kernels));
  std::vector<const double*> pointers;
  for (const Index kernel : kernels) pointers.push_back(matrices_[kernel].get());
  const auto owner = std::make_shared<const std::map<Index, std::shared_ptr<const double>>>(matrices_);
  return std::make_shared<DenseBank>(std::move(pointers), bank_.n_samples(), names(kernels), threads(), owner,
                                     bank_.watch());
}

std::shared_ptr<const KernelBank> WorkingKernels::over_ranks(const std::vector<Index>& kernels) {
  matrices_.clear();
  if (!session_) {
    session_ = std::make_shared<RemoteNumber>(bank_.spread().team);
    if (bank_.spread().mine.bank) mine_ = bank_.spread().mine.bank->subsets();
  }
  return bank_.subset_over_ranks(kernels, *session_, mine_);
}

std::shared_ptr<const KernelBank> WorkingKernels::by_features(const std::vector<Index>& kernels) {
  if (!features_) {
    std::vector<FittedKernel> recipes;
    for (Index m = 0; m < bank_.n_kernels(); ++m) {
      if (!bank_.by_features(m)) continue;
      number_among_features_[m] = std::ssize(recipes);
      recipes.push_back(bank_.recipe().kernel(m));
    }
    features_ = std::make_shared<FeatureBank>(bank_.recipe().samples, std::move(recipes), threads(), bank_.watch(),
                                              bank_.work_bytes());
    feature_subsets_ = features_->subsets().of;
  }
  std::vector<Index> numbers;
  for (const Index kernel : kernels) numbers.push_back(number_among_features_[kernel]);
  return feature_subsets_(std::move(numbers));
}

}  // namespace spicymkl
