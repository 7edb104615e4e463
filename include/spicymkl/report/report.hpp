// One self-contained HTML page about a run: how good it is, what matters, the data, the proof, what was asked.
#pragma once

#include "spicymkl/model/model.hpp"
#include "spicymkl/report/data_summary.hpp"
#include "spicymkl/selection/cross_validation.hpp"
#include "spicymkl/selection/path.hpp"

namespace spicymkl {

/// A name and what it is, in words.
struct Fact {
  std::string name;
  std::string value;
};

/// A regularisation path, one per class or target that is learned by itself.
struct PathReport {
  std::vector<FitPath> paths;
  std::vector<std::string> kernel_names;
  double tol = 0;
  double seconds = 0;
};

/// What the page says. A part that is empty is left out of it; a model or a path must be there.
struct Report {
  std::string title;
  std::string command;  ///< as one would type it
  std::vector<Fact> asked;
  std::optional<DataSummary> data;
  const Model* model = nullptr;
  std::vector<History> histories;  ///< of the model, one per fit; empty: it comes from a file
  std::optional<CrossValidation> cv;
  std::optional<PathReport> path;
  std::optional<Evaluation> test;
  std::string test_source;  ///< the file that `test` is about
  int threads = 0;          ///< for what is computed for the page; 0: all cores
};

/// The page. Names of files, columns, classes and kernels may be any string. It needs nothing but itself: the chart
/// library is part of it.
std::string report_html(const Report& report);

/// The weights along the paths as one SVG file, one panel per path. Readable on light and on dark ground.
std::string path_picture(const std::vector<FitPath>& paths, const std::vector<std::string>& kernel_names);

}  // namespace spicymkl
