#include "study_summary.hpp"

#include <algorithm>
#include <map>

#include "p_value.hpp"

namespace spicymkl {

namespace {

/// Per half, the strength at which each candidate enters.
using Halves = std::vector<std::map<Index, Index>>;

/// Of kernels, or of their sources, which enter with their first kernel.
Halves halves_of(const std::vector<PairResult>& pairs, const StudyDescription& study, bool of_sources) {
  Halves halves;
  for (const PairResult& pair : pairs)
    for (const std::vector<Entry>* entries : {&pair.first, &pair.second}) {
      auto& half = halves.emplace_back();
      for (const Entry& entry : *entries) {
        const Index candidate = of_sources ? study.kernels[entry.kernel].source : entry.kernel;
        const auto [known, is_new] = half.try_emplace(candidate, entry.point);
        known->second = std::min(known->second, entry.point);
      }
    }
  return halves;
}

SelectionSummary selection_of(const Halves& halves, Index n_candidates, const StudyDescription& study) {
  SelectionSummary summary;
  if (halves.empty()) return summary;
  const auto n_points = study.strengths.values.size();
  const auto n_halves = static_cast<double>(halves.size());
  std::vector<std::vector<Index>> counts(n_candidates, std::vector<Index>(n_points, 0));
  for (const auto& half : halves)
    for (const auto& [candidate, point] : half)
      for (std::size_t at = point; at < n_points; ++at) ++counts[candidate][at];
  summary.point = -1;
  for (std::size_t at = 0; at < n_points; ++at) {
    Index selected = 0;
    for (const auto& count : counts) selected += count[at];
    const SelectionCount count{static_cast<double>(selected) / n_halves, n_candidates,
                               static_cast<Index>(halves.size() / 2)};
    summary.mean_selected.push_back(count.mean);
    summary.bound.push_back(error_bound(count, study.options.threshold, study.options.error_bound));
    summary.cautious_bound.push_back(bound_without_assumptions(count, study.options.threshold));
    if (summary.bound.back() <= study.options.false_selections) summary.point = static_cast<Index>(at);
  }
  for (const auto& count : counts) {
    auto& frequency = summary.frequencies.emplace_back();
    for (const Index one : count) frequency.push_back(static_cast<double>(one) / n_halves);
  }
  summary.both.assign(n_candidates, 0);
  for (std::size_t h = 0; h + 1 < halves.size(); h += 2)
    for (const auto& [candidate, point] : halves[h]) {
      const auto other = halves[h + 1].find(candidate);
      if (other != halves[h + 1].end() && std::max(point, other->second) <= summary.point) ++summary.both[candidate];
    }
  for (double& share : summary.both) share /= n_halves / 2;
  return summary;
}

std::vector<MeasureSummary> measures_of(const std::vector<SplitResult>& splits, const StudyDescription& study) {
  std::vector<MeasureSummary> summaries;
  for (std::size_t k = 0; k < study.measures.size(); ++k) {
    std::vector<SplitScore> scores;
    for (const SplitResult& split : splits)
      if (split.measures[k])
        scores.push_back(
            {*split.measures[k], static_cast<double>(split.n_training), static_cast<double>(split.n_test)});
    summaries.push_back({study.measures[k], spread_of(study.measures[k], scores), std::ssize(scores)});
  }
  return summaries;
}

void add_use(const std::vector<SplitResult>& splits, StudySummary& summary) {
  const auto n_splits = static_cast<double>(splits.size());
  // A source that a model does not use changes nothing when it is shuffled: its p-value there is 1.
  std::vector<std::vector<double>> p_values(summary.source_use.size(), std::vector<double>(splits.size(), 1));
  for (std::size_t s = 0; s < splits.size(); ++s) {
    for (const KernelUse& use : splits[s].active) {
      ++summary.kernel_use[use.kernel].models;
      summary.kernel_use[use.kernel].weight += use.weight;
    }
    for (const SourceUse& use : splits[s].sources) {
      UseSummary& source = summary.source_use[use.source];
      ++source.models;
      source.weight += use.weight;
      source.drop += use.drop;
      p_values[use.source][s] = use.p_value;
    }
  }
  for (auto* uses : {&summary.kernel_use, &summary.source_use})
    for (UseSummary& use : *uses)
      for (double* sum : {&use.models, &use.weight, &use.drop}) *sum /= n_splits;
  for (std::size_t k = 0; k < p_values.size(); ++k)
    summary.source_use[k].p_value = combined_p_value(std::move(p_values[k]));
}

}  // namespace

StudySummary summarize(const StudyDescription& study, const std::vector<PartResult>& parts) {
  StudySummary summary;
  std::vector<PairResult> pairs;
  for (const PartResult& part : parts) {
    if (const auto* split = std::get_if<SplitResult>(&part)) summary.splits.push_back(*split);
    else if (const auto* pair = std::get_if<PairResult>(&part)) pairs.push_back(*pair);
    else summary.null_scores.push_back(std::get<NullResult>(part).score);
  }
  summary.kernel_use.resize(study.kernels.size());
  summary.source_use.resize(study.sources.size());
  if (!summary.splits.empty()) {
    summary.measures = measures_of(summary.splits, study);
    for (const SplitResult& split : summary.splits)
      summary.baseline += split.baseline / static_cast<double>(summary.splits.size());
    add_use(summary.splits, summary);
  }
  summary.kernels = selection_of(halves_of(pairs, study, false), std::ssize(study.kernels), study);
  summary.sources = selection_of(halves_of(pairs, study, true), std::ssize(study.sources), study);
  if (!summary.null_scores.empty()) {
    const double sign = larger_is_better(study.measures.front()) ? 1 : -1;
    std::vector<double> shuffled;
    for (const double score : summary.null_scores) shuffled.push_back(sign * score);
    const double observed = shuffled.front();
    shuffled.erase(shuffled.begin());
    summary.p_value = permutation_p_value(observed, shuffled);
  }
  return summary;
}

}  // namespace spicymkl
