#include "desk.hpp"

#include <fmt/format.h>

#include <sstream>

#include "core/renew.hpp"

namespace spicymkl {

bool is_summed(Action action) {
  return action == Action::weighted_product || action == Action::diagonal || action == Action::column ||
         action == Action::sum;
}

bool is_long(Action action) {
  return action == Action::subset || action == Action::products || action == Action::forms ||
         action == Action::weighted_product || action == Action::sum;
}

Part::Share Part::share(KernelSet set) const {
  Share share;
  for (Index k = 0; k < std::ssize(set); ++k) {
    if (places[set[k]] < 0) continue;
    share.kernels.push_back(places[set[k]]);
    share.positions.push_back(k);
  }
  return share;
}

namespace {

bool is_everything(const std::vector<Index>& set, Index n_kernels) {
  if (std::ssize(set) != n_kernels) return false;
  for (Index m = 0; m < n_kernels; ++m)
    if (set[m] != m) return false;
  return true;
}

/// The lower triangle, column by column, as one column: half of what would be sent.
Matrix packed(const Matrix& A) {
  const Index n = A.rows();
  Matrix numbers(n * (n + 1) / 2, 1);
  Index place = 0;
  for (Index j = 0; j < n; ++j) {
    numbers.col(0).segment(place, n - j) = A.col(j).tail(n - j);
    place += n - j;
  }
  return numbers;
}

Index total_width(const KernelBank& bank, const std::vector<Index>& kernels) {
  Index width = 0;
  for (const Index kernel : kernels) width += bank.rank(kernel);
  return width;
}

/// Of a rank that has no kernel of the set.
Matrix no_answer(const Part& part, const Question& question) {
  const Index n = part.n_samples;
  switch (question.action) {
    case Action::weighted_product:
      return Matrix::Zero(n, question.V.cols());
    case Action::diagonal:
    case Action::column:
      return Matrix::Zero(n, 1);
    case Action::sum:
      return Matrix::Zero(n * (n + 1) / 2, 1);
    case Action::forms:
      return Matrix(0, question.V.cols() / question.together);
    default:
      return Matrix(n, 0);
  }
}

}  // namespace

void put(const Question& question, Index n_kernels, Writer& out) {
  const bool everything = is_everything(question.set, n_kernels);
  out.put(everything);
  if (!everything) out.put(question.set);
  out.put(question.weights);
  out.put(question.V);
  out.put(question.together);
}

Question question_from(Action action, Index n_kernels, Reader& in) {
  Question question{action, in.get<bool>() ? all_kernels(n_kernels) : in.indices()};
  question.weights = in.vector();
  question.V = in.matrix();
  question.together = in.get<Index>();
  return question;
}

Answer answer(const Part& part, const Question& question) {
  const Part::Share share = part.share(question.set);
  if (share.kernels.empty()) return {no_answer(part, question), ""};
  const KernelBank& bank = *part.bank;
  const auto count = std::ssize(share.kernels);
  const Index n = part.n_samples, width = question.V.cols();
  const Vector weights = question.weights.size() > 0 ? Vector(question.weights(share.positions)) : Vector();
  Matrix out;
  switch (question.action) {
    case Action::products:
      renew(out, n, count * width);
      bank.products(share.kernels, question.V, out);
      break;
    case Action::forms:
      renew(out, count, width / question.together);
      if (question.together == 1) bank.quadratic_forms(share.kernels, question.V, out);
      else bank.joint_forms(share.kernels, question.V, question.together, out);
      break;
    case Action::weighted_product:
      renew(out, n, width);
      bank.weighted_product(share.kernels, weights, question.V, out);
      break;
    case Action::diagonal:
      renew(out, n, 1);
      bank.weighted_diagonal(share.kernels, weights, out.col(0));
      break;
    case Action::column:
      renew(out, n, 1);
      bank.weighted_column(share.kernels, weights, static_cast<Index>(question.V(0, 0)), out.col(0));
      break;
    case Action::factor:
      renew(out, n, total_width(bank, share.kernels));
      bank.factors()->weighted_factor(share.kernels, weights, out);
      break;
    case Action::sum: {
      Matrix A = Matrix::Zero(n, n);
      bank.add_weighted_sum(share.kernels, weights, A);
      out = packed(A);
      break;
    }
    default:
      throw std::logic_error("this is no question to a bank");
  }
  return {std::move(out), ""};
}

std::string use_text(const std::vector<BankUse>& use) {
  std::string text;
  for (const BankUse& one : use) text += fmt::format("{} {} {}\n", one.n_kernels, one.bytes, one.kind);
  return text;
}

std::vector<BankUse> use_from(const std::string& text) {
  std::vector<BankUse> use;
  std::istringstream lines(text);
  BankUse one;
  while (lines >> one.n_kernels >> one.bytes && std::getline(lines >> std::ws, one.kind)) use.push_back(one);
  return use;
}

Answer describe(const Part& part) {
  const Index count = part.bank ? part.bank->n_kernels() : 0;
  Answer all{Matrix::Ones(count + 1, 3), ""};
  if (!part.bank) return all;
  const KernelBank& bank = *part.bank;
  for (Index m = 0; m < count; ++m)
    all.numbers.row(m) << bank.trace(m), bank.missing_trace(m), static_cast<double>(bank.rank(m));
  all.numbers.row(count) << (bank.columns() ? 1 : 0), (bank.sums() ? 1 : 0),
      (bank.subsets().quick_size >= bank.n_kernels() ? 1 : 0);
  all.text = use_text(bank.use());
  return all;
}

Answer nothing() { return {}; }

BankOptions alone(BankOptions options) {
  options.maker = nullptr;
  return options;
}

Part make_part(const std::shared_ptr<const Samples>& samples, const std::vector<FittedKernel>& kernels,
               std::vector<KernelOutline> outlines, std::vector<Index> places, const PartOptions& options) {
  Part part{samples->n_rows(), nullptr, std::move(places)};
  if (kernels.empty()) return part;
  const BankOptions here = alone(options.bank);
  if (options.exact) {
    part.bank = make_exact_bank(samples, kernels, here, options.work_bytes);
    return part;
  }
  const BankPlan plan = plan_bank(samples->n_rows(), std::move(outlines), here);
  part.bank = make_bank(samples, kernels, plan, here);
  return part;
}

Part make_subset(const Part& part, const KernelSubsets& subsets, const std::vector<Index>& kernels) {
  const Part::Share share = part.share(kernels);
  Part few{part.n_samples, nullptr, std::vector<Index>(kernels.size(), -1)};
  for (Index k = 0; k < std::ssize(share.kernels); ++k) few.places[share.positions[k]] = k;
  if (!share.kernels.empty()) few.bank = subsets.of(share.kernels);
  return few;
}

Part on_samples(const Part& part, const std::vector<Index>& rows) {
  return {std::ssize(rows), part.bank ? part.bank->on_samples(rows) : nullptr, part.places};
}

}  // namespace spicymkl
