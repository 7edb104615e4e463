// What single columns, and sources of several columns, do to the score.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "density_line.hpp"
#include "html.hpp"
#include "model/decision.hpp"
#include "sections.hpp"
#include "spicymkl/model/outputs.hpp"
#include "spicymkl/model/sources.hpp"

namespace spicymkl {

namespace {

using Json = Charts::Json;

constexpr std::size_t kMostCurves = 12, kMostSources = 6, kMostCategories = 24;
constexpr std::size_t kMostClassesDrawn = 3;   // of one chart, in colour
constexpr std::size_t kMostOutputsDrawn = 40;  // in colour or not
constexpr Index kMostRowsDrawn = 250, kGrid = 101;

/// What the score is, for an axis.
std::string score_name(const Model& model) {
  if (model.is_classification()) return has_probabilities(model) ? "log-odds" : "score";
  if (model.is_survival()) return "log-risk";
  if (!model.targets.empty()) return "effect on the target";
  return "effect on " + (model.table->target_name.empty() ? "y" : model.table->target_name);
}

std::string class_remark(const Model& model) {
  if (model.classes.size() == 2)
    return fmt::format(" Above 0 speaks for {}, below 0 for {}.", model.classes[1], model.classes[0]);
  return "";
}

std::string output_title(const Model& model, std::size_t column) {
  return model.n_outputs() > 1 ? output_name(model, static_cast<Index>(column)) : "effect";
}

/// The outputs with the largest values, largest first.
std::vector<std::size_t> largest_outputs(const Vector& values, std::size_t most) {
  std::vector<std::size_t> outputs(values.size());
  std::iota(outputs.begin(), outputs.end(), std::size_t{0});
  std::ranges::stable_sort(outputs, [&](std::size_t a, std::size_t b) {
    return values(static_cast<Index>(a)) > values(static_cast<Index>(b));
  });
  outputs.resize(std::min(most, outputs.size()));
  return outputs;
}

/// Both ends of what the curves cover, 0 included: one scale for all charts, so that they can be compared.
Json common_range(const std::vector<ColumnEffect>& effects) {
  double low = 0, high = 0;
  for (const ColumnEffect& effect : effects) {
    low = std::min(low, effect.total.minCoeff());
    high = std::max(high, effect.total.maxCoeff());
  }
  const double room = 0.05 * (high - low);
  return {low - room, high + room};
}

/// Both ends of a curve, or of the bars below it where these stand out: a bar that a chart cuts is drawn askew.
Json range_of(const Vector& grid, const Json& bars) {
  double low = grid(0), high = grid(grid.size() - 1);
  for (const Json& corner : bars) {
    low = std::min(low, corner.front().get<double>());
    high = std::max(high, corner.front().get<double>());
  }
  return {low, high};
}

bool whole_numbers(const ColumnDensity& density) {
  return density.bin_width == 0 &&
         std::ranges::all_of(density.places, [](double value) { return std::floor(value) == value; });
}

Json curve_chart(const Model& model, const ColumnEffect& effect, const Json& range) {
  const std::vector<std::size_t> coloured = largest_outputs(effect.spread, kMostClassesDrawn);
  Json series = Json::array();
  const auto add = [&](std::size_t f, const char* look) {
    Json points = Json::array();
    for (Index g = 0; g < effect.grid.size(); ++g)
      points.push_back({effect.grid(g), effect.total(g, static_cast<Index>(f))});
    const bool faint = std::string_view(look) == "faint";
    series.push_back({{"name", faint ? "" : output_title(model, f)}, {"colour", f}, {"points", std::move(points)}});
    series.back()["look"] = look;
  };
  for (const std::size_t f : coloured) add(f, model.n_outputs() == 1 ? "signed" : "smooth");
  for (const std::size_t f : largest_outputs(effect.spread, kMostOutputsDrawn))
    if (std::ranges::find(coloured, f) == coloured.end() && effect.spread(static_cast<Index>(f)) > 0) add(f, "faint");
  Json bars = density_line(effect.density);
  Json x_range = range_of(effect.grid, bars);
  series.push_back({{"name", ""}, {"points", std::move(bars)}, {"look", "density"}});
  return {{"kind", "lines"},
          {"x", effect.name},
          {"y", score_name(model)},
          {"x_range", std::move(x_range)},
          {"y_range", range},
          {"zero", true},
          {"whole_x", whole_numbers(effect.density)},
          {"series", std::move(series)}};
}

/// The most frequent ones, in their order.
std::vector<Index> categories_shown(const ColumnEffect& effect, const std::vector<Index>& rows) {
  std::vector<Index> shown(effect.categories.size());
  std::iota(shown.begin(), shown.end(), Index{0});
  std::ranges::stable_sort(shown, [&](Index a, Index b) { return rows[a] > rows[b]; });
  shown.resize(std::min(kMostCategories, shown.size()));
  std::ranges::sort(shown);
  return shown;
}

Json category_chart(const Model& model, const ColumnEffect& effect, const Json& range) {
  std::vector<Index> rows(effect.categories.size(), 0);
  for (Index k = 0; k < effect.density.places.size(); ++k)
    rows[static_cast<std::size_t>(effect.density.places(k))] = effect.density.counts[k];
  Json labels = Json::array(), series = Json::array();
  const std::vector<Index> shown = categories_shown(effect, rows);
  for (const Index c : shown) labels.push_back(fmt::format("{} ({})", effect.categories[c], rows[c]));
  for (const std::size_t f : largest_outputs(effect.spread, kMostClassesDrawn)) {
    std::vector<double> values;
    for (const Index c : shown) values.push_back(effect.total(c, static_cast<Index>(f)));
    series.push_back({{"name", output_title(model, f)}, {"colour", f}, {"values", values}});
  }
  return {
      {"kind", "bars"}, {"x", score_name(model)},     {"unit", ""}, {"x_range", range}, {"labels", std::move(labels)},
      {"apart", true},  {"series", std::move(series)}};
}

std::string effect_caption(const Model& model, const ColumnEffect& effect) {
  const std::string kernels = effect.kernels.size() == 1 ? model.kernel_names[effect.kernels.front()]
                                                         : fmt::format("{} kernels", effect.kernels.size());
  return escaped(effect.categories.empty() ? kernels
                                           : fmt::format("{}: {}; in brackets the rows", effect.name, kernels));
}

std::string curves_part(const Model& model, std::vector<ColumnEffect> effects, Charts& charts) {
  std::erase_if(effects, [](const ColumnEffect& effect) { return !(effect.spread.maxCoeff() > 0); });
  if (effects.empty()) return "";
  std::ranges::stable_sort(
      effects, [](const ColumnEffect& a, const ColumnEffect& b) { return a.spread.sum() > b.spread.sum(); });
  const std::size_t n_columns = effects.size();
  effects.resize(std::min(kMostCurves, n_columns));
  const Json range = common_range(effects);
  std::string figures;
  for (const ColumnEffect& effect : effects) {
    const bool numbers = effect.categories.empty();
    figures +=
        charts.figure(numbers ? curve_chart(model, effect, range) : category_chart(model, effect, range),
                      fmt::format("Effect of {}", effect.name), effect_caption(model, effect), "class=\"chart small\"");
  }
  const bool all_rows = std::ssize(model.table->kept_rows) == model.n_samples;
  const std::string text = fmt::format(
      "What a column adds to the score by itself: f(x), summed over the kernels that read this column alone, in the "
      "units of the table.{} In grey where the {} lie: a curve is worth as much as there are rows below it. All have "
      "one scale{}{}.",
      class_remark(model),
      all_rows ? "training rows" : fmt::format("{} training rows that the model keeps", model.table->kept_rows.size()),
      static_cast<std::size_t>(model.n_outputs()) > kMostClassesDrawn
          ? fmt::format("; of each column the {} {} that it moves most are in colour", kMostClassesDrawn,
                        model.targets.empty() ? "classes" : "targets")
          : "",
      n_columns > effects.size() ? fmt::format("; the {} strongest of {} columns", effects.size(), n_columns) : "");
  return "<h3>Columns by themselves</h3>\n" + paragraph(text) + "<div class=\"charts many\">\n" + figures + "</div>\n";
}

/// What the kernels of one source that read several columns add to the scores of some training rows: rows × outputs.
struct JointPart {
  std::string name;
  Index n_kernels = 0;
  Matrix values;
  Vector spread;  ///< per output
};

/// One per source that has such kernels, the one that moves scores most first.
std::vector<JointPart> joint_parts(const Model& model, const Scores& scores) {
  const std::vector<Source> sources = kernel_sources(model);
  std::vector<Index> source_of(model.n_kernels(), -1);  // of the kernels on several columns
  for (Index s = 0; s < std::ssize(sources); ++s)
    for (const Index m : sources[s].kernels)
      if (model.table->specs[m]->columns.size() > 1) source_of[m] = s;
  const Matrix nothing = Matrix::Zero(scores.values.rows(), scores.values.cols());
  std::map<Index, JointPart> by_source;
  for (const Index m : active_kernels(model.fits))
    if (const Index s = source_of[m]; s >= 0)
      ++by_source.try_emplace(s, JointPart{sources[s].name, 0, nothing, {}}).first->second.n_kernels;
  const std::vector<Output> outputs = outputs_of(model.fits);
  for (std::size_t f = 0; f < outputs.size(); ++f) {
    const auto& kernels = model.fits[outputs[f].fit].expansion.kernels;
    for (std::size_t k = 0; k < kernels.size(); ++k)
      if (const Index s = source_of[kernels[k]]; s >= 0)
        by_source.at(s).values.col(static_cast<Index>(f)) += scores.shares[f].col(static_cast<Index>(k));
  }
  std::vector<JointPart> parts;
  for (auto& [source, part] : by_source) {
    const Matrix centred = part.values.rowwise() - part.values.colwise().mean();
    part.spread = centred.colwise().norm() / std::sqrt(static_cast<double>(centred.rows()));
    parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts,
                           [](const JointPart& a, const JointPart& b) { return a.spread.sum() > b.spread.sum(); });
  return parts;
}

Json joint_chart(const Model& model, const JointPart& part, const Scores& scores) {
  const std::string name = score_name(model);
  const Index step = std::max<Index>(1, part.values.rows() / kMostRowsDrawn);
  Json series = Json::array();
  for (const std::size_t f : largest_outputs(part.spread, kMostClassesDrawn)) {
    const auto fit = static_cast<Index>(f);
    if (part.spread(fit) == 0) continue;
    Json points = Json::array();
    for (Index i = 0; i < part.values.rows(); i += step) points.push_back({scores.values(i, fit), part.values(i, fit)});
    series.push_back({{"name", output_title(model, f)}, {"colour", f}, {"points", std::move(points)}});
  }
  return {{"kind", "points"},
          {"x", name + " of the whole model"},
          {"y", "part of it"},
          {"zero", true},
          {"series", std::move(series)}};
}

std::string joint_figures(const Model& model, const TrainingContributions& contributions, Charts& charts) {
  std::vector<JointPart> parts = joint_parts(model, contributions.scores);
  parts.resize(std::min(kMostSources, parts.size()));
  std::string figures;
  for (const JointPart& part : parts)
    figures += charts.figure(
        joint_chart(model, part, contributions.scores), fmt::format("Contributions of {}", part.name),
        escaped(fmt::format("{}: {}", part.name,
                            part.n_kernels == 1 ? "1 kernel" : fmt::format("{} kernels", part.n_kernels))),
        "class=\"chart small\"");
  return figures;
}

std::string joint_section(const Model& model, const TrainingContributions& contributions, Charts& charts) {
  const std::string figures = joint_figures(model, contributions, charts);
  if (figures.empty()) return "";
  return "<h3>Several columns at once</h3>\n" +
         paragraph(
             "Kernels that read several columns have no curve. Points are training rows: what they add to the score "
             "of a row, against its whole score. The more the points follow a rising line, the more these kernels "
             "decide.") +
         "<div class=\"charts many\">\n" + figures + "</div>\n";
}

}  // namespace

std::string effects_section(const Report& report, const TrainingContributions& contributions, Charts& charts) {
  if (!report.model || !report.model->table || report.model->table->kernels.empty()) return "";
  const Model& model = *report.model;
  std::string body = curves_part(model, column_effects(model, kGrid, report.threads), charts);
  body += joint_section(model, contributions, charts);
  return body.empty() ? "" : section("Effects", body);
}

}  // namespace spicymkl
