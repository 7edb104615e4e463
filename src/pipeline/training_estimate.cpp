#include "spicymkl/pipeline/training_estimate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/machine_speed.hpp"
#include "core/quantity_text.hpp"

namespace spicymkl {

namespace {

constexpr double kStart = 0.01;       // seconds before and after all work
constexpr double kLong = 120;         // seconds that deserve advice
constexpr double kWarmPoint = 0.33;   // cost of a point of a path, solved from its neighbour, beside one from nothing
constexpr double kBaselines = 5;      // wrapper methods take longer by about so much
constexpr Index kWholeSystem = 500;   // fewer samples: Newton systems are factored whole
constexpr double kStreamedSteps = 2;  // of kernels by features: few are left after those of parts of the samples
constexpr double kVectorsPerKernel = 20;  // of N numbers, in a working set of kernels by features
constexpr double kProgram = 15e6;         // bytes of the program itself
constexpr double kCopiesOfTable = 4;      // as read, as samples, for the bank, and on the way

// Newton systems that are only multiplied by:
constexpr double kMatrixWithFactor = 1.25;  // matrices that an assembled system takes
constexpr double kProductsPerStep = 1;      // of conjugate gradients, most steps being those of parts of the samples
constexpr double kWideFactor = 16;          // a factor of more columns than one in so many samples is made a matrix
constexpr double kFactorMatrices = 0.5;     // of the room to work, for those
// To multiply by an entry of a wide factor and by its transpose in single precision, in nanoseconds.
constexpr double kRoughEntry = 0.42;
constexpr double kProductsOfDirection = 7;    // with wide factors, until conjugate gradients are accurate enough
constexpr double kMostPreconditioner = 1200;  // columns of N numbers, while it is made

// Of classes that are learned at once, beside each against the rest (docs/classes.md):
constexpr double kMatrixOfClass = 3;   // a Newton step for each class: its matrix, and its part of the sum of inverses
constexpr double kRanksOfClass = 1.5;  // the same by ranks
constexpr double kPassOfClass = 0.1;   // of a pass over the kernels, which are read once for all classes
constexpr double kMuchQuicker = 1.5;   // what is worth advice

double square(double n) { return n * n; }

/// What the solver meets of the kernels.
struct Shape {
  double n = 0;
  double kernels = 0, low = 0, stored = 0, fly = 0;
  double streamed = 0;  // of those of low rank, by features
  double mean_rank = 0;
  double fly_columns = 0;

  explicit Shape(const BankPlan& plan) : n(static_cast<double>(plan.n_samples)) {
    for (std::size_t m = 0; m < plan.kernels.size(); ++m) {
      ++kernels;
      if (plan.forms[m] == KernelForm::low_rank || plan.forms[m] == KernelForm::features) {
        ++low;
        mean_rank += static_cast<double>(plan.kernels[m].rank);
        streamed += plan.forms[m] == KernelForm::features;
      } else if (plan.forms[m] == KernelForm::on_the_fly) {
        ++fly;
        fly_columns += static_cast<double>(plan.kernels[m].n_columns);
      } else {
        ++stored;
      }
    }
    if (low > 0) mean_rank /= low;
    if (fly > 0) fly_columns /= fly;
  }

  double gram_bytes() const { return sizeof(double) * square(n); }
};

/// The kernels that are in use during Newton steps.
struct Active {
  double low = 0, stored = 0, fly = 0;

  /// A penalty that selects keeps few of many; any other keeps all.
  Active(const Shape& shape, bool selects) {
    const double count = selects ? std::min(shape.kernels, 2.2 * std::pow(shape.kernels, 0.4)) : shape.kernels;
    const double dense = shape.stored + shape.fly;
    const double most = selects ? std::min(dense, std::max(3.0, count * dense / shape.kernels)) : dense;
    stored = dense > 0 ? most * shape.stored / dense : 0;
    fly = dense > 0 ? most * shape.fly / dense : 0;
    low = std::min(shape.low, std::max(0.0, count - most));
  }
};

class OneFit {
 public:
  OneFit(const BankPlan& plan, const ProblemDescription& problem, const Settings& settings)
      : plan_(plan), shape_(plan), active_(shape_, outline_of(plan, problem).selects), settings_(settings) {
    working_set_ = !settings.registered && choose(outline_of(plan, problem), settings.solver).working_set;
    // Of the kernels on the fly, a working set keeps as many as there is room for.
    const double room = std::floor(plan.working_bytes / shape_.gram_bytes());
    kept_ = working_set_ && active_.fly <= room ? active_.fly : 0;
    recomputed_ = active_.fly - kept_;
  }

  /// Of several classes, those at once.
  double seconds(Index n_classes = 1) const {
    const auto classes = static_cast<double>(n_classes);
    const double dearer = n_classes == 1 ? 1 : classes * (assembled() ? kMatrixOfClass : kRanksOfClass);
    double steps = 8 + std::max(0.0, 1.5 * std::log10(0.1 / settings_.tol));
    if (streamed()) steps = std::min(steps, kStreamedSteps);
    // With the start from parts of the samples, few steps are left for all of them; it shows where these cost most.
    const double passes = 4 + (working_set_ ? 0 : iterated() ? steps / 3 : steps);
    double total = dearer * steps * newton_step() + exact_certificate();
    total += passes * plan_.pass_seconds * (1 + kPassOfClass * (classes - 1));
    total += kNanosecond * kept_ * square(shape_.n) * fly_entry() / threads();
    if (settings_.registered) total *= kBaselines;
    return (shape_.stored + shape_.fly > 0 ? 16.0 / 15 : 4.0 / 3) * total;  // with the starts from parts of the samples
  }

  /// Beside what the bank keeps.
  double bytes() const {
    if (iterated()) return std::max(preconditioner_bytes(), matrix_of_a_part());
    if (!assembled() && streamed())
      return sizeof(double) * (square(rank()) + kVectorsPerKernel * shape_.n * active_.low);
    if (!assembled()) return 2 * sizeof(double) * shape_.n * rank();
    const double matrices = 1 + kept_ + (recomputed_ > 0 ? 1 : 0) + of_wide_factors();
    return matrices * shape_.gram_bytes() + sizeof(double) * shape_.n * rank();
  }

  /// Beside that, of classes that are learned at once: a factor for each, their sum and its factor, where there is
  /// room.
  double bytes_of(Index n_classes) const {
    const double more = static_cast<double>(n_classes + 2) * shape_.gram_bytes();
    return assembled() && !iterated() && more <= plan_.working_bytes ? more : 0;
  }

 private:
  double threads() const {
    return std::sqrt(static_cast<double>(plan_.threads));
  }  // these share the memory's bandwidth
  bool streamed() const { return shape_.streamed == shape_.kernels; }
  double rank() const { return active_.low * shape_.mean_rank; }
  /// To compute the lower triangle of a kernel into fresh memory, per entry of the whole.
  double fly_entry() const { return entry_cost(shape_.fly_columns) / 2 + kDenseWriting; }
  bool assembled() const { return active_.stored + active_.fly > 0 || 2 * rank() > shape_.n; }

  /// Kernels with wide factors that are made matrices for sums, as many as there is room for.
  double of_wide_factors() const {
    if (kWideFactor * shape_.mean_rank < shape_.n) return 0;
    return std::min(active_.low, std::floor(kFactorMatrices * plan_.working_bytes / shape_.gram_bytes()));
  }

  double preconditioner_bytes() const {
    return std::min(plan_.working_bytes, kMostPreconditioner * sizeof(double) * shape_.n);
  }

  /// Of the largest part of the samples, each a quarter of the one before, whose Newton matrix has room.
  double matrix_of_a_part() const {
    double bytes = kMatrixWithFactor * shape_.gram_bytes();
    while (bytes > plan_.working_bytes) bytes /= 16;
    return bytes;
  }

  /// There is no room for the matrix of a Newton system: it is multiplied by instead.
  bool iterated() const {
    return assembled() && shape_.n > static_cast<double>(kWholeSystem) &&
           kMatrixWithFactor * shape_.gram_bytes() > plan_.working_bytes;
  }

  /// Wide factors alone: Newton matrices are multiplied by, kernels in use and those that come and go.
  bool multiplied() const {
    return assembled() && !streamed() && shape_.low == shape_.kernels && shape_.mean_rank < shape_.n &&
           shape_.n >= static_cast<double>(kWholeSystem);
  }

  double newton_step() const {
    const double n = shape_.n;
    if (multiplied() && !iterated())
      return kNanosecond * kProductsOfDirection * kRoughEntry * n * shape_.low * shape_.mean_rank / threads();
    if (iterated()) {
      const double entry =
          kProductEntry * (active_.low + active_.stored) + entry_cost(shape_.fly_columns / 2) * active_.fly;
      return kNanosecond * kProductsPerStep * square(n) / 2 * entry / static_cast<double>(plan_.threads);
    }
    if (!assembled()) return kNanosecond * kFlop * n * square(rank()) / threads();
    double entry = kNewtonEntry + kSumEntry * (active_.stored + kept_) + kFlop * rank() + fly_entry() * recomputed_;
    if (n < static_cast<double>(kWholeSystem)) entry += kFlop * n / 3;
    return kNanosecond * square(n) * entry / threads();
  }

  /// Certificates of factors and of single precision are taken on the kernels themselves.
  double exact_certificate() const {
    const double approximated = shape_.low > 0 ? active_.low * (1 - shape_.streamed / shape_.low) : 0;
    return kNanosecond * 2 * approximated * square(shape_.n) * kProductEntry / threads();
  }

  const BankPlan& plan_;
  Shape shape_;
  Active active_;
  const Settings& settings_;
  bool working_set_ = false;
  double kept_ = 0, recomputed_ = 0;
};

void add_form(const BankPlan& plan, KernelForm form, const char* one, const char* several,
              std::vector<std::string>& forms) {
  const Index count = plan.count(form);
  if (count > 0) forms.push_back(fmt::format("{} {}", count, count == 1 ? one : several));
}

}  // namespace

ProblemOutline outline_of(const BankPlan& plan, const ProblemDescription& problem, Index n_outputs) {
  const auto loss = problem.loss != "auto" ? problem.make_loss() : nullptr;
  const bool svm_dual = loss != nullptr && loss->has_svm_dual() && n_outputs == 1;
  ProblemOutline outline = outline_of(*problem.with_alpha(1).make_regularizer(), svm_dual);
  outline.smoothable = loss != nullptr && loss->smoothed(1) != nullptr;
  outline.smooth_loss = loss == nullptr || (loss->n_constraints() == 0 && !loss->has_auxiliary());
  outline.n_outputs = n_outputs;
  outline.linear_dual = loss != nullptr && loss->has_linear_dual() && n_outputs > 1;
  outline.assembled = n_outputs == 1;
  outline.work_bytes = plan.working_bytes;
  outline.n_samples = plan.n_samples;
  outline.n_kernels = std::ssize(plan.kernels);
  for (std::size_t m = 0; m < plan.kernels.size(); ++m) {
    const bool low = plan.forms[m] == KernelForm::low_rank || plan.forms[m] == KernelForm::features;
    const Index rank = low ? plan.kernels[m].rank : plan.n_samples;
    outline.mean_rank += static_cast<double>(rank) / static_cast<double>(outline.n_kernels);
    outline.matrices = outline.matrices || rank == plan.n_samples;
  }
  outline.columns = plan.count(KernelForm::on_the_fly) + plan.count(KernelForm::features) == 0;
  return outline;
}

TrainingEstimate estimate_training(const BankPlan& plan, const ProblemDescription& problem, const Settings& settings,
                                   const Workload& work) {
  const OneFit fit(plan, problem, settings);
  const double one_by_one = static_cast<double>(work.n_fits * work.n_outputs) * fit.seconds();
  const double fits =
      work.classes_at_once ? static_cast<double>(work.n_fits) * fit.seconds(work.n_outputs) : one_by_one;
  const auto points = static_cast<double>(work.n_points);
  TrainingEstimate estimate;
  estimate.one_by_one_is_quicker = fits > kMuchQuicker * one_by_one;
  double columns = 0;
  for (const KernelOutline& kernel : plan.kernels) columns = std::max(columns, static_cast<double>(kernel.n_columns));
  estimate.bytes = kProgram + plan.bytes + fit.bytes() + (work.classes_at_once ? fit.bytes_of(work.n_outputs) : 0) +
                   kCopiesOfTable * sizeof(double) * columns * static_cast<double>(plan.n_samples);
  if (work.n_folds == 0) {
    estimate.seconds = kStart + plan.build_seconds + fits * std::max(1.0, kWarmPoint * points);
    return estimate;
  }
  const auto folds = static_cast<double>(work.n_folds);
  const double part = square((folds - 1) / folds);  // of the entries of a matrix
  const double one_fold = plan.build_seconds + fits * std::max(1.0, kWarmPoint * points);
  estimate.seconds = kStart + folds * part * one_fold + plan.build_seconds + fits;
  return estimate;
}

std::string estimate_text(const BankPlan& plan, const TrainingEstimate& estimate) {
  std::vector<std::string> forms;
  add_form(plan, KernelForm::low_rank, "as a low-rank factor", "as low-rank factors", forms);
  add_form(plan, KernelForm::dense, "as a matrix", "as matrices", forms);
  add_form(plan, KernelForm::single, "as a matrix in single precision", "as matrices in single precision", forms);
  add_form(plan, KernelForm::on_the_fly, "computed at every pass", "computed at every pass", forms);
  add_form(plan, KernelForm::features, "by features", "by features", forms);
  const std::size_t count = plan.kernels.size();
  return fmt::format("{} rows, {} kernel{}: {}; about {} and {}", plan.n_samples, count, count == 1 ? "" : "s",
                     fmt::join(forms, ", "), bytes_text(estimate.bytes), duration_text(estimate.seconds));
}

std::string estimate_advice(const BankPlan& plan, const TrainingEstimate& estimate, const Settings& settings,
                            double memory, double free_memory) {
  if (estimate.seconds < kLong) return "";
  const auto n = static_cast<double>(plan.n_samples);
  const double fly = static_cast<double>(plan.count(KernelForm::on_the_fly));
  std::vector<std::string> ways;
  const double wanted = plan.bytes + 2 * fly * sizeof(double) * n * n;
  if (fly > 0 && wanted > memory && wanted < free_memory)
    ways.push_back(fmt::format("--memory {:.0f}G", std::ceil(wanted / 0x1p30)));
  if (plan.count(KernelForm::features) == std::ssize(plan.kernels))
    ways.emplace_back("features of fewer numbers (--features nystrom:R)");
  else if (plan.count(KernelForm::low_rank) < std::ssize(plan.kernels))
    ways.emplace_back(
        "kernels on single columns alone, which are kept as factors (\"columns\": \"each\" in a --kernels "
        "list)");
  else ways.emplace_back("fewer kernels");
  ways.emplace_back("fewer rows");
  if (estimate.one_by_one_is_quicker)
    ways.emplace_back("each class against the rest (--loss logistic --multi-class ovr)");
  if (settings.tol < 0.01) ways.emplace_back("--tol 0.01");
  std::string text = fmt::format("quicker: {}", fmt::join(ways, "; "));
  if (settings.max_seconds == 0) text += "; --max-seconds ends the run in time and keeps what is done";
  return text;
}

}  // namespace spicymkl
