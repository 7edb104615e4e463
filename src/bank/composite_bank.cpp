#include "composite_bank.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

double least_room(const std::vector<std::shared_ptr<const KernelBank>>& parts) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& part : parts) least = std::min(least, part->work_bytes());
  return least;
}

}  // namespace

CompositeBank::CompositeBank(std::vector<std::shared_ptr<const KernelBank>> parts, std::vector<Place> places)
    : KernelBank(parts.front()->watch(), least_room(parts)), parts_(std::move(parts)), places_(std::move(places)) {}

std::string CompositeBank::name(Index kernel) const {
  return parts_[static_cast<std::size_t>(place(kernel).part)]->name(place(kernel).kernel);
}

double CompositeBank::trace(Index kernel) const {
  return parts_[static_cast<std::size_t>(place(kernel).part)]->trace(place(kernel).kernel);
}

double CompositeBank::eigenvalue_bound(Index kernel) const {
  return parts_[static_cast<std::size_t>(place(kernel).part)]->eigenvalue_bound(place(kernel).kernel);
}

std::vector<CompositeBank::Share> CompositeBank::shares(KernelSet set) const {
  std::vector<Share> shares(parts_.size());
  for (std::size_t k = 0; k < set.size(); ++k) {
    Share& share = shares[static_cast<std::size_t>(place(set[k]).part)];
    share.kernels.push_back(place(set[k]).kernel);
    share.positions.push_back(static_cast<Index>(k));
  }
  return shares;
}

std::shared_ptr<const KernelBank> CompositeBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<std::shared_ptr<const KernelBank>> parts;
  for (const auto& part : parts_) {
    parts.push_back(part->on_samples(rows));
    if (parts.back() == nullptr) return nullptr;
  }
  return std::make_shared<CompositeBank>(std::move(parts), places_);
}

void CompositeBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  const std::vector<Share> split = shares(set);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (split[p].kernels.empty()) continue;
    Matrix part(n_samples(), static_cast<Index>(split[p].kernels.size()));
    parts_[p]->products(split[p].kernels, v, part);
    for (Index k = 0; k < part.cols(); ++k) out.col(split[p].positions[static_cast<std::size_t>(k)]) = part.col(k);
  }
}

void CompositeBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  const std::vector<Share> split = shares(set);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Vector part(static_cast<Index>(split[p].kernels.size()));
    if (part.size() > 0) parts_[p]->quadratic_forms(split[p].kernels, v, part);
    out(split[p].positions) = part;
  }
}

template <class Ask>
void CompositeBank::add_up(KernelSet set, ConstVectorRef weights, VectorRef out, const Ask& ask) const {
  const std::vector<Share> split = shares(set);
  Vector part(n_samples());
  out.setZero();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (split[p].kernels.empty()) continue;
    ask(*parts_[p], split[p].kernels, Vector(weights(split[p].positions)), part);
    out += part;
  }
}

void CompositeBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const {
  add_up(set, weights, out, [&](const KernelBank& bank, KernelSet kernels, const Vector& w, Vector& part) {
    bank.weighted_product(kernels, w, v, part);
  });
}

bool CompositeBank::has_columns() const {  // of the parts that have kernels here
  return std::all_of(places_.begin(), places_.end(),
                     [&](const Place& place) { return parts_[static_cast<std::size_t>(place.part)]->has_columns(); });
}

void CompositeBank::weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  add_up(set, weights, out, [&](const KernelBank& bank, KernelSet kernels, const Vector& w, Vector& part) {
    bank.weighted_column(kernels, w, i, part);
  });
}

void CompositeBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  add_up(set, weights, out, [&](const KernelBank& bank, KernelSet kernels, const Vector& w, Vector& part) {
    bank.weighted_diagonal(kernels, w, part);
  });
}

void CompositeBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  const std::vector<Share> split = shares(set);
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (!split[p].kernels.empty()) parts_[p]->add_weighted_sum(split[p].kernels, weights(split[p].positions), A);
}

std::shared_ptr<const KernelBank> CompositeBank::subset(std::vector<Index> kernels, const KernelBank* previous) const {
  const auto* earlier = dynamic_cast<const CompositeBank*>(previous);
  const std::vector<Share> split = shares(kernels);
  std::vector<std::shared_ptr<const KernelBank>> parts;
  std::vector<Place> places(kernels.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const KernelBank* before = earlier != nullptr ? earlier->parts_[p].get() : nullptr;
    for (std::size_t k = 0; k < split[p].positions.size(); ++k)
      places[static_cast<std::size_t>(split[p].positions[k])] = {static_cast<Index>(p), static_cast<Index>(k)};
    // An empty part keeps its place, so that the parts of later subsets correspond; nothing will be asked of it.
    parts.push_back(split[p].kernels.empty() ? parts_[p] : parts_[p]->subset(split[p].kernels, before));
  }
  return std::make_shared<CompositeBank>(std::move(parts), std::move(places));
}

bool CompositeBank::exact() const {
  return std::all_of(places_.begin(), places_.end(),
                     [&](const Place& place) { return parts_[static_cast<std::size_t>(place.part)]->exact(); });
}

Index CompositeBank::quick_subset() const {
  Index least = n_kernels();
  for (const auto& part : parts_)
    if (part->quick_subset() < part->n_kernels()) least = std::min(least, part->quick_subset());
  return least;
}

Index CompositeBank::rank(Index kernel) const {
  return parts_[static_cast<std::size_t>(place(kernel).part)]->rank(place(kernel).kernel);
}

void CompositeBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  const std::vector<Share> split = shares(set);
  Index first = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (split[p].kernels.empty()) continue;
    Index width = 0;
    for (const Index kernel : split[p].kernels) width += parts_[p]->rank(kernel);
    parts_[p]->weighted_factor(split[p].kernels, weights(split[p].positions), columns.middleCols(first, width));
    first += width;
  }
}

double CompositeBank::missing_trace(Index kernel) const {
  return parts_[static_cast<std::size_t>(place(kernel).part)]->missing_trace(place(kernel).kernel);
}

std::vector<BankUse> CompositeBank::use() const {
  std::vector<BankUse> all;
  for (auto part = parts_.begin(); part != parts_.end(); ++part) {
    if (std::find(parts_.begin(), part, *part) != part) continue;  // each bank once, in an order that does not change
    for (const BankUse& use : (*part)->use())
      if (use.n_kernels > 0) all.push_back(use);
  }
  return all;
}

}  // namespace spicymkl
