#include "feature_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/quantity_text.hpp"
#include "core/wording.hpp"
#include "spicymkl/pipeline/training_estimate.hpp"

namespace spicymkl {

namespace {

constexpr Index kAlwaysExact = 5000;  // rows up to which exact kernels are never in question
constexpr double kSomeMinutes = 180;  // seconds
// docs/large.md has the figures behind these.
constexpr FeatureSpec kAutomatic = {.kind = FeatureKind::nystrom, .rank = 256, .tolerance = 1e-3};
constexpr double kCut = 0.5;  // part of the trace: a kernel that loses more is another one
// Columns of a linear kernel or a cosine that are taken as they are: landmarks would cost a product with each of them.
constexpr Index kMostOwn = 1024;

/// Monomials are taken where landmarks would be as many: those of a polynomial find all of it then.
bool takes_own_features(const KernelSpec& kernel, Index rank) {
  const Index own = n_exact_features(kernel);
  if (own == 0 || type_of(kernel).base == Base::matches) return own > 0;
  return own <= (own == std::ssize(kernel.columns) ? kMostOwn : rank);
}

/// As asked, or in the way that the kernel allows: its own features where it has few, landmarks where it has no
/// spectrum.
FeatureSpec features_for(const KernelSpec& kernel, const FeatureSpec& wanted, std::uint64_t seed) {
  if (takes_own_features(kernel, wanted.rank)) return {.kind = FeatureKind::exact};
  FeatureSpec features = wanted;
  if (type_of(kernel).frequencies == nullptr) features.kind = FeatureKind::nystrom;
  features.seed = seed;
  return features;
}

/// What exact kernels would take. Only their form matters, so that none is centred, which would take a pass.
TrainingEstimate estimate_exact(const std::vector<KernelSpec>& kernels, const Samples& samples,
                                const BankOptions& options) {
  std::vector<FittedKernel> fitted;
  for (KernelSpec spec : kernels) {
    spec.normalize = Normalize::none;
    fitted.push_back(FittedKernel::fit(std::move(spec), samples, options.threads, options.watch));
  }
  const BankPlan plan = plan_bank(samples.n_rows(), outline_kernels(samples, fitted, options.rank_tolerance), options);
  TrainingEstimate estimate = estimate_training(plan, {}, {}, {});
  estimate.seconds *= machine_slowness();
  return estimate;
}

/// Kernels whose features would be those that they have already: nothing is won by streaming these.
bool all_have_own(const std::vector<KernelSpec>& kernels) {
  return std::ranges::all_of(kernels,
                             [](const KernelSpec& kernel) { return takes_own_features(kernel, kAutomatic.rank); });
}

}  // namespace

std::string choose_features(std::vector<KernelSpec>& kernels, const Samples& samples, const KernelChoice& choice) {
  FeatureSpec wanted = choice.features.features;
  std::string reason;
  if (choice.features.automatic) {
    if (samples.n_rows() <= kAlwaysExact) return "";
    const BankOptions options = with_known_memory(choice.bank);
    const TrainingEstimate exact = estimate_exact(kernels, samples, options);
    const bool soon = exact.seconds <= kSomeMinutes || all_have_own(kernels);
    if (soon && exact.bytes <= 2 * options.memory) return "";
    reason = fmt::format(" (exact kernels: about {} and {}; --features none takes them all the same)",
                         bytes_text(exact.bytes), duration_text(exact.seconds));
    wanted = kAutomatic;
  }
  if (wanted.kind == FeatureKind::none) return "";
  Index changed = 0, most = 0;
  Index otherwise = 0;  // of these, those that have landmarks where waves were asked for
  for (KernelSpec& kernel : kernels) {
    if (kernel.features.kind != FeatureKind::none || kernel.jitter > 0) continue;
    kernel.features = features_for(kernel, wanted, choice.seed);
    ++changed;
    most = std::max(most, kernel.features.kind == FeatureKind::exact ? n_exact_features(kernel) : wanted.rank);
    otherwise += wanted.kind == FeatureKind::fourier && kernel.features.kind == FeatureKind::nystrom;
  }
  if (changed > 0 && choice.features.automatic)
    return fmt::format("{} kernels by features of at most {} numbers per row{}", changed, most, reason);
  if (otherwise == 0) return "";
  return fmt::format("{} without a spectrum: nystrom:{} in place of Fourier features", counted(otherwise, "kernel"),
                     wanted.rank);
}

std::string cut_kernels(const std::vector<FittedKernel>& kernels) {
  std::vector<std::string> cut;
  for (const FittedKernel& kernel : kernels) {
    if (!kernel.has_features()) continue;
    if (const double missing = kernel.features().constants().missing; missing > kCut)
      cut.push_back(fmt::format("{} ({:.0f} % of its trace)", kernel.spec().name, 100 * missing));
  }
  if (cut.empty()) return "";
  return fmt::format("features leave out more than half of {}: {}; more landmarks, in a kernel list, keep more of {}",
                     counted(std::ssize(cut), "kernel"), listed(cut), cut.size() == 1 ? "it" : "them");
}

}  // namespace spicymkl
