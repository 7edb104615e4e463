#include "distributed_bank.hpp"

#include <algorithm>

#include "working_kernels.hpp"

namespace spicymkl {

DistributedBank::DistributedBank(BankShape shape, Spread spread, Recipe recipe, const std::vector<Answer>& described)
    : KernelBank(std::move(shape)), spread_(std::move(spread)), recipe_(std::move(recipe)), facts_(n_kernels(), 3) {
  take_in(described);
}

void DistributedBank::take_in(const std::vector<Answer>& described) {
  std::vector<Index> next(described.size(), 0);
  for (Index m = 0; m < n_kernels(); ++m) {
    const int rank = spread_.rank_of[m];
    facts_.row(m) = described[rank].numbers.row(next[rank]++);
  }
  for (const Answer& one : described) {
    const Index last = one.numbers.rows() - 1;
    has_columns_ = has_columns_ && one.numbers(last, 0) != 0;
    has_sums_ = has_sums_ && one.numbers(last, 1) != 0;
    has_quick_subsets_ = has_quick_subsets_ && one.numbers(last, 2) != 0;
    for (BankUse& use : use_from(one.text)) {
      const auto same = std::ranges::find(use_, use.kind, &BankUse::kind);
      if (same == use_.end()) {
        use_.push_back(std::move(use));
        continue;
      }
      same->n_kernels += use.n_kernels;
      same->bytes += use.bytes;
    }
  }
}

std::vector<Answer> DistributedBank::ask(Question question) const {
  if (question.set.empty())  // nothing to ask, also after a stop
    return std::vector<Answer>(is_summed(question.action) ? 1 : spread_.team->size(), answer(spread_.mine, question));
  Writer body;
  body.put(spread_.number->number());
  put(question, n_kernels(), body);
  return spread_.team->office().perform(question.action, body.bytes(), is_long(question.action) ? watch() : Watch(),
                                        [&] { return answer(spread_.mine, question); });
}

Matrix DistributedBank::ask_sum(Question question) const { return std::move(ask(std::move(question)).front().numbers); }

std::vector<std::vector<Index>> DistributedBank::positions(KernelSet set) const {
  std::vector<std::vector<Index>> all(spread_.team->size());
  for (Index k = 0; k < std::ssize(set); ++k) all[spread_.rank_of[set[k]]].push_back(k);
  return all;
}

void DistributedBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const std::vector<Answer> answers = ask({Action::products, {set.begin(), set.end()}, {}, V});
  const auto places = positions(set);
  const Index width = V.cols();
  for (std::size_t rank = 0; rank < answers.size(); ++rank)
    for (Index k = 0; k < std::ssize(places[rank]); ++k)
      out.middleCols(places[rank][k] * width, width) = answers[rank].numbers.middleCols(k * width, width);
}

void DistributedBank::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  const std::vector<Answer> answers = ask({Action::forms, {set.begin(), set.end()}, {}, V, together});
  const auto places = positions(set);
  for (std::size_t rank = 0; rank < answers.size(); ++rank)
    for (Index k = 0; k < std::ssize(places[rank]); ++k) out.row(places[rank][k]) = answers[rank].numbers.row(k);
}

void DistributedBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  out = ask_sum({Action::weighted_product, {set.begin(), set.end()}, weights, V});
}

void DistributedBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out = ask_sum({Action::diagonal, {set.begin(), set.end()}, weights}).col(0);
}

void DistributedBank::column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  const Matrix number = Matrix::Constant(1, 1, static_cast<double>(i));
  out = ask_sum({Action::column, {set.begin(), set.end()}, weights, number}).col(0);
}

void DistributedBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  Index first = 0;
  for (const Answer& one : ask({Action::factor, {set.begin(), set.end()}, weights})) {
    columns.middleCols(first, one.numbers.cols()) = one.numbers;
    first += one.numbers.cols();
  }
}

void DistributedBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  const Matrix sum = ask_sum({Action::sum, {set.begin(), set.end()}, weights});
  const Index n = n_samples();
  Index place = 0;
  for (Index j = 0; j < n; ++j) {
    A.col(j).tail(n - j) += sum.col(0).segment(place, n - j);
    place += n - j;
  }
}

bool DistributedBank::is_low_rank(Index kernel) const {
  return !by_features(kernel) && factor_width(kernel) < n_samples();
}

Index DistributedBank::room_here() const {
  const auto n = static_cast<double>(n_samples());
  // One more is the matrix of the Newton systems over them.
  const double room = spread_.subset_bytes / (sizeof(double) * n * n) - 1;
  return static_cast<Index>(std::clamp(room, 0.0, static_cast<double>(n_kernels())));
}

Index DistributedBank::room_over_ranks() const {
  constexpr double kEven = 0.6;  // of what ranks have room for: a working set is not spread evenly
  if (has_quick_subsets_) return n_kernels();
  const double room = std::max(1.0, kEven * spread_.team->size()) * static_cast<double>(room_here());
  return static_cast<Index>(std::min(room, static_cast<double>(n_kernels())));
}

bool DistributedBank::worth_spreading(Index n_matrices) const {
  const auto n = static_cast<double>(n_samples());
  const double entries = static_cast<double>(n_matrices) * n * n;
  return n_matrices > room_here() || entries >= spread_.least_entries * static_cast<double>(threads());
}

KernelSubsets DistributedBank::subsets() const {
  bool matrices = false;
  for (Index m = 0; m < n_kernels() && !matrices; ++m) matrices = !is_low_rank(m) && !by_features(m);
  const Index quick_size = matrices ? room_over_ranks() : n_kernels();
  return {quick_size, [this, kept = std::make_shared<WorkingKernels>(*this)](const std::vector<Index>& kernels) {
            return kept->subset(kernels);
          }};
}

std::shared_ptr<const KernelBank> DistributedBank::subset_over_ranks(const std::vector<Index>& kernels,
                                                                     const RemoteNumber& session,
                                                                     const KernelSubsets& mine) const {
  Spread part = spread_;
  part.number = std::make_shared<RemoteNumber>(spread_.team);
  part.rank_of.clear();
  auto recipes = std::make_shared<std::vector<FittedKernel>>();
  for (const Index kernel : kernels) {
    part.rank_of.push_back(spread_.rank_of[kernel]);
    recipes->push_back(recipe_.kernel(kernel));
  }
  Writer body;
  for (const Index number : {spread_.number->number(), session.number(), part.number->number()}) body.put(number);
  body.put(kernels);
  const std::vector<Answer> described = spread_.team->office().perform(Action::subset, body.bytes(), watch(), [&] {
    part.mine = make_subset(spread_.mine, mine, kernels);
    return describe(part.mine);
  });
  BankShape few = shape();
  few.n_kernels = std::ssize(kernels);
  return std::make_shared<DistributedBank>(std::move(few), std::move(part), Recipe{recipe_.samples, recipes, {}},
                                           described);
}

std::shared_ptr<const KernelBank> DistributedBank::on_samples(const std::vector<Index>& rows) const {
  Spread part = spread_;
  part.number = std::make_shared<RemoteNumber>(spread_.team);
  Writer body;
  body.put(spread_.number->number());
  body.put(part.number->number());
  body.put(rows);
  bool able = true;
  const std::vector<Answer> described = spread_.team->office().perform(Action::on_samples, body.bytes(), Watch(), [&] {
    part.mine = spicymkl::on_samples(spread_.mine, rows);
    return spread_.mine.bank && !part.mine.bank ? nothing() : describe(part.mine);
  });
  for (const Answer& one : described) able = able && one.numbers.rows() > 0;
  if (!able) return nullptr;
  Recipe recipe{std::make_shared<const Samples>(select_rows(*recipe_.samples, rows)), recipe_.kernels, rows};
  if (!recipe_.rows.empty())
    for (Index& row : recipe.rows) row = recipe_.rows[row];
  BankShape shape = this->shape();
  shape.n_samples = std::ssize(rows);
  return std::make_shared<DistributedBank>(std::move(shape), std::move(part), std::move(recipe), described);
}

}  // namespace spicymkl
