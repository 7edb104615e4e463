// What was assumed of the data, in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/wording.hpp"
#include "spicymkl/loss/loss.hpp"
#include "spicymkl/report/data_summary.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kMostNames = 5;

std::string percent(double share) { return share > 0 && share < 0.01 ? "<1 %" : fmt::format("{:.0f} %", 100 * share); }

std::string columns_text(const DataSummary& data) {
  if (data.columns.empty()) return counted(data.n_rows, "sample");
  const Index categorical = data.n_categorical();
  return fmt::format("{}, {}{}", counted(data.n_rows, "row"), counted(std::ssize(data.columns), "column"),
                     categorical > 0 ? fmt::format(" ({} categorical)", categorical) : "");
}

/// How more than two classes are learned and, unless that was asked for, what would learn them otherwise.
std::string way_text(const DataSummary& data) {
  const auto option = [&](const char* ours, const char* python, const std::string& value) {
    return data.from_python ? fmt::format("{}=\"{}\"", python, value) : fmt::format("{} {}", ours, value);
  };
  std::string text = data.joint_classes ? "all at once" : "each against the rest";
  if (data.multi_class_was_asked) return text;
  if (data.joint_classes)
    return text + fmt::format("; {} would take each against the rest", option("--multi-class", "multi_class", "ovr"));
  return text + fmt::format(", as the loss {} tells only two apart; {} would take all at once", data.loss,
                            option("--loss", "loss", default_loss(LabelKind::two_classes).name));
}

std::string task_text(const DataSummary& data) {
  if (!data.event_name.empty())
    return fmt::format("survival times from {:g} to {:g}, {} by '{}' ({}: event, {}: lost before)",
                       data.target.smallest, data.target.largest, counted(data.n_events, "event"), data.event_name,
                       data.event_code, data.event_code - 1);
  if (!data.targets.empty())
    return fmt::format("{} targets, numbers ({})", data.targets.size(),
                       data.joint_targets ? "all at once" : "each by itself");
  if (data.classes.empty())
    return fmt::format("numbers from {:g} to {:g}{}", data.target.smallest, data.target.largest,
                       data.task_was_asked ? "" : "; --task classification would take classes");
  const std::string other =
      data.task_was_asked || !data.could_be_numbers ? "" : "; --task regression would take numbers";
  if (data.classes.size() == 2)
    return fmt::format("2 classes, {} and {} (positive: {}){}", data.classes[0], data.classes[1], data.classes[1],
                       other);
  return fmt::format("{} classes, {} ({}){}", data.classes.size(), listed(data.classes), way_text(data), other);
}

std::string shares_text(const SourceMissing& source, const DataSummary& data) {
  if (data.classes.empty())
    return fmt::format("{} {:.2f}",
                       data.targets.empty() ? "correlation with the target" : "largest correlation with a target",
                       source.correlation);
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < std::min(kMostNames, data.classes.size()); ++c)
    parts.push_back(fmt::format("class {}: {}", data.classes[c], percent(source.class_share[c])));
  return fmt::format("{}{}", fmt::join(parts, ", "), data.classes.size() > kMostNames ? ", …" : "");
}

std::string warning_text(const SourceMissing& source, const DataSummary& data, const char* why) {
  if (data.classes.empty())
    return fmt::format("{} of '{}' is missing, more often where {} is {} (correlation {:.2f}): {}",
                       percent(source.share), source.name, data.targets.empty() ? "the target" : "one of the targets",
                       source.correlation > 0 ? "large" : "small", source.correlation, why);
  const auto [least, most] = std::minmax_element(source.class_share.begin(), source.class_share.end());
  const auto name = [&](auto at) { return data.classes[at - source.class_share.begin()]; };
  return fmt::format("{} of '{}' is missing for class {} and {} for class {}: {}", percent(*most), source.name,
                     name(most), percent(*least), name(least), why);
}

/// The squared error of a target in grams counts a million times that of one in kilograms.
std::string unlike_targets_text(const DataSummary& data) {
  constexpr double kMuchLarger = 10;
  const auto [least, most] = std::ranges::minmax_element(data.targets, {}, &ColumnSummary::deviation);
  if (!(most->deviation > kMuchLarger * least->deviation)) return "";
  return fmt::format(
      "the targets are of unlike size (the deviation of '{}' is {:.3g}, that of '{}' {:.3g}): learned all at once, "
      "the large ones decide which kernels matter; give them like units, or learn each by itself ({})",
      most->name, most->deviation, least->name, least->deviation,
      data.from_python ? "multi_output=\"each\"" : "--multi-output each");
}

}  // namespace

std::string assumption_text(const DataSummary& data) {
  std::string text = fmt::format("{}; target '{}': {}", columns_text(data), data.target_name, task_text(data));
  if (!data.id_name.empty()) text += fmt::format("; id '{}'", data.id_name);
  if (!data.weight_name.empty()) text += fmt::format("; weights '{}'", data.weight_name);
  if (!data.covariates.empty())
    text += fmt::format("; adjusted for {} ({})", counted(std::ssize(data.covariates), "covariate"),
                        listed(data.covariates));
  if (!data.dropped.empty())
    text += fmt::format("; {} dropped ({})", counted(std::ssize(data.dropped), "column"), listed(data.dropped));
  if (!data.row_index.empty())
    text += "; the unnamed first column numbers the rows and is not used (to use it, give it a name)";
  if (data.n_missing() > 0) text += fmt::format("; {} imputed by {}", counted(data.n_missing(), "cell"), data.impute);
  return text;
}

std::string imputation_text(const DataSummary& data) {
  if (data.missing_sources.empty()) return "";
  std::vector<SourceMissing> sources = data.missing_sources;
  std::stable_sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < std::min(kMostNames, sources.size()); ++k)
    parts.push_back(
        fmt::format("{} of '{}' ({})", percent(sources[k].share), sources[k].name, shares_text(sources[k], data)));
  return fmt::format("imputed by {}: {}{}", data.impute, fmt::join(parts, "; "),
                     sources.size() > kMostNames ? fmt::format("; and {} more", sources.size() - kMostNames) : "");
}

std::string views_text(const DataSummary& data) {
  if (data.sources.empty()) return "";
  std::string text = fmt::format("{}: {}", counted(std::ssize(data.sources), "source"), listed(data.sources));
  for (const SourceMissing& source : data.missing_views)
    text +=
        fmt::format("; '{}' lacks {} of the rows ({})", source.name, percent(source.share), shares_text(source, data));
  return text;
}

std::vector<std::string> data_warnings(const DataSummary& data) {
  std::vector<std::string> warnings;
  for (const SourceMissing& source : data.missing_sources)
    if (source.is_uneven())
      warnings.push_back(warning_text(source, data, "imputed values can make this source look important"));
  for (const SourceMissing& source : data.missing_views)
    if (source.is_uneven())
      warnings.push_back(warning_text(source, data, "which samples it lacks can make this source look important"));
  if (data.joint_targets)
    if (const std::string unlike = unlike_targets_text(data); !unlike.empty()) warnings.push_back(unlike);
  return warnings;
}

std::vector<std::string> identity_remarks(const DataSummary& data) {
  std::vector<std::string> remarks;
  for (const std::string& name : data.id_like)
    remarks.push_back(
        fmt::format("column '{}' looks like the identity of the rows (all {} values differ) and is learned from; {}",
                    name, data.n_rows,
                    data.from_python ? "leave it out of X if it is"
                                     : fmt::format("--id '{0}' or --drop '{0}' leaves it out", name)));
  return remarks;
}

}  // namespace spicymkl
