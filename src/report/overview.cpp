// The first things one wants to know, and what was asked for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/wording.hpp"
#include "html.hpp"
#include "model/feature_use.hpp"
#include "scores_section.hpp"
#include "sections.hpp"
#include "tiles.hpp"

namespace spicymkl {

namespace {

std::string alpha_text(const Model& model) {
  double smallest = model.fits.front().problem.alpha, largest = smallest;
  for (const Fit& fit : model.fits) {
    smallest = std::min(smallest, fit.problem.alpha);
    largest = std::max(largest, fit.problem.alpha);
  }
  return smallest == largest ? fmt::format("{:.6g}", smallest)
                             : fmt::format("{:.6g} to {:.6g}, by {}", smallest, largest, model.fits_are_of());
}

std::string learned_text(const Model& model) {
  if (model.is_survival()) return "the log-risk of an event, from survival times";
  if (!model.targets.empty())
    return fmt::format("{} targets, {}: {}", model.targets.size(),
                       model.fits.size() == 1 ? "with one weight per kernel" : "each with kernels of its own",
                       listed(model.targets));
  if (!model.is_classification()) return "a number";
  return fmt::format("{} classes: {}", model.classes.size(), fmt::join(model.classes, ", "));
}

/// Of all fits together.
std::string solved_text(const Model& model) {
  Stages stages;
  for (const Fit& fit : model.fits) add(fit.stages, stages);
  return stages_text(stages);
}

std::vector<Fact> model_facts(const Model& model) {
  std::vector<Fact> facts = {{"Learned", learned_text(model)}, {"Strength alpha", alpha_text(model)}};
  if (const std::string solved = solved_text(model); !solved.empty()) facts.push_back({"Solved by", solved});
  if (!model.table) return facts;
  if (const std::string features = features_text(*model.table); !features.empty())
    facts.push_back({"Features", features});
  const Preparation& preparation = model.table->preparation;
  facts.push_back({"Standardised", preparation.standardizer ? "yes, on the training rows" : "no"});
  facts.push_back({"Missing cells", preparation.imputer ? fmt::format("filled in by the {} of the training rows",
                                                                      name_of(preparation.imputer->method))
                                                        : "none allowed"});
  return facts;
}

std::vector<Fact> problem_facts(const ProblemDescription& problem, double tol) {
  return {{"Loss", loss_text(problem)},
          {"Penalty", penalty_text(problem)},
          {"Intercept", problem.fit_intercept ? "yes" : "no"},
          {"Tolerance (gap)", fmt::format("{:g}", tol)}};
}

Tile gap_tile(double gap, double tol) {
  return {"Relative gap", fmt::format("{:.2g}", gap), fmt::format("asked for {:g}", tol), gap <= tol ? "" : "bad"};
}

std::vector<Tile> model_tiles(const Model& model) {
  double gap = 0;
  for (const Fit& fit : model.fits) gap = std::max(gap, fit.certificate.relative_gap);
  return {{"Active kernels", fmt::format("{}", active_kernels(model.fits).size()),
           fmt::format("of {}", model.n_kernels()), ""},
          {"Training samples", fmt::format("{}", model.n_samples),
           model.survival ? fmt::format("{} events", model.survival->n_events()) : "", ""},
          {"Status", model.status(), "", model.converged() ? "good" : "bad"},
          gap_tile(gap, model.tol),
          {"Training time", fmt::format("{:.3g} s", model.seconds()),
           fmt::format("reading and kernels {:.3g} s", model.seconds_input), ""}};
}

std::vector<Tile> path_tiles(const PathReport& path) {
  std::vector<Fit> fits;
  bool complete = true;
  for (const FitPath& one : path.paths) {
    fits.insert(fits.end(), one.fits.begin(), one.fits.end());
    complete = complete && one.complete;
  }
  double gap = 0;
  for (const Fit& fit : fits) gap = std::max(gap, fit.certificate.relative_gap);
  return {{"Status", complete ? "complete" : "interrupted", "", complete ? "good" : "bad"},
          {"Points", fmt::format("{}", fits.size()),
           path.paths.size() > 1
               ? fmt::format("of {} {}", path.paths.size(), fits.front().target.empty() ? "classes" : "targets")
               : "",
           ""},
          gap_tile(gap, path.tol),
          {"Kernels ever active", fmt::format("{}", active_kernels(fits).size()),
           fmt::format("of {}", path.kernel_names.size()), ""},
          {"Time", fmt::format("{:.3g} s", path.seconds), "", ""}};
}

/// The two measures that say most, with their intervals.
std::vector<Tile> test_tiles(const Evaluation& test) {
  std::vector<Tile> tiles;
  const Assessment assessment = assess(test);
  for (const AssessedMeasure& measure : assessment.measures) {
    const bool first =
        measure.metric == Metric::accuracy || measure.metric == Metric::r2 || measure.metric == Metric::concordance;
    if (!first && measure.metric != Metric::auc && measure.metric != Metric::rmse) continue;
    const std::string interval = interval_text(measure.interval);
    Tile tile{capital(title_of(measure.metric)) + (test.targets.empty() ? "" : ", mean"),
              measure.value ? fmt::format("{:.3g}", *measure.value) : "undefined",
              fmt::format("{}constant answer {:.3g}", interval.empty() ? "" : interval + "; ", *measure.baseline), ""};
    tiles.insert(first ? tiles.begin() : tiles.end(), std::move(tile));
  }
  tiles.push_back({"Test rows", fmt::format("{}", test.n_samples), "", ""});
  return tiles;
}

/// What was compared and, where that is a less familiar score, the familiar one before it.
std::vector<Tile> cv_tiles(const CrossValidation& cv) {
  const CvPoint& chosen = cv.choice();
  std::vector<Tile> tiles;
  if (cv.has_familiar())
    tiles.push_back({capital(title_of(cv.familiar)), fmt::format("{:.3g}", chosen.familiar), "cross-validated", ""});
  tiles.push_back({capital(score_title(cv)), fmt::format("{:.3g}", chosen.mean),
                   fmt::format("± {:.2g}, cross-validated; {} {} tried, so optimistic", chosen.standard_error,
                               cv.chosen == cv.best ? "best of" : "one of", cv.points.size()),
                   ""});
  return tiles;
}

}  // namespace

std::string overview(const Report& report) {
  std::vector<Tile> tiles;
  const auto add = [&](const std::vector<Tile>& more) { tiles.insert(tiles.end(), more.begin(), more.end()); };
  if (report.test) add(test_tiles(*report.test));
  if (report.cv) add(cv_tiles(*report.cv));
  add(report.model ? model_tiles(*report.model) : path_tiles(*report.path));
  return tiles_html(tiles);
}

std::string asked_section(const Report& report) {
  std::vector<Fact> facts = report.asked;
  const auto add = [&](const std::vector<Fact>& more) { facts.insert(facts.end(), more.begin(), more.end()); };
  if (report.model) {
    add(problem_facts(report.model->fits.front().problem, report.model->tol));
    add(model_facts(*report.model));
  } else {
    add(problem_facts(report.path->paths.front().fits.front().problem, report.path->tol));
  }
  return section("What was asked", fmt::format("<div class=\"note\"><code>{}</code></div>\n", escaped(report.command)) +
                                       facts_list(facts));
}

}  // namespace spicymkl
