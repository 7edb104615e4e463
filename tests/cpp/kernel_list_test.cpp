// Column selections, groups, presets and JSON kernel lists.
#include "spicymkl/kernel/kernel_list.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include "kernel/column_selection.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/kernel/fitted_kernel.hpp"
#include "spicymkl/kernel/presets.hpp"

namespace spicymkl {
namespace {

using Json = nlohmann::json;
using Columns = std::vector<Index>;

const std::vector<std::string> kNames = {"mrna_1", "mrna_2", "protein", "age", "all?"};

Samples table(Index n, Index d) {
  std::mt19937 generator(1);
  std::normal_distribution<double> number;
  Samples samples{{}, Matrix(n, d), {}};
  for (Index j = 0; j < d; ++j) samples.columns.push_back("x" + std::to_string(j + 1));
  for (double& value : samples.values.reshaped()) value = 3 + 2 * number(generator);
  return samples;
}

void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts) {
  try {
    action();
    FAIL() << "not refused: " << parts.front();
  } catch (const InputError& error) {
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what() << "\n  lacks: " << part;
  }
}

Columns select(const char* json) { return select_columns(Json::parse(json), kNames, "kernel 'k'"); }

KernelList parse(const char* json, const Samples& samples, const KernelListOptions& options = {}) {
  return parse_kernel_list(Json::parse(json), samples, options, ".");
}

TEST(ColumnSelection, NamesIndicesRangesGlobsAndLists) {
  EXPECT_EQ(select(R"("age")"), (Columns{3}));
  EXPECT_EQ(select(R"("mrna_*")"), (Columns{0, 1}));
  EXPECT_EQ(select(R"("0:2")"), (Columns{0, 1}));
  EXPECT_EQ(select(R"("3:")"), (Columns{3, 4}));
  EXPECT_EQ(select(R"(":-3")"), (Columns{0, 1}));
  EXPECT_EQ(select("2"), (Columns{2}));
  EXPECT_EQ(select(R"("-1")"), (Columns{4}));
  EXPECT_EQ(select(R"("all?")"), (Columns{4}));  // the name, not the pattern
  EXPECT_EQ(select(R"("all")"), (Columns{0, 1, 2, 3, 4}));
  EXPECT_EQ(select(R"(["age", "mrna_*", 0, "3:5"])"), (Columns{3, 0, 1, 4}));
}

TEST(ColumnSelection, RefusesWhatSelectsNothing) {
  expect_refused([] { select(R"("size")"); }, {"kernel 'k'", "'size'", "mrna_1"});
  expect_refused([] { select(R"("gene_*")"); }, {"kernel 'k'", "gene_*", "no column"});
  expect_refused([] { select(R"("2:2")"); }, {"kernel 'k'", "2:2", "no column"});
  expect_refused([] { select(R"("0:6")"); }, {"kernel 'k'", "0:6", "0 to 4"});
  expect_refused([] { select("5"); }, {"kernel 'k'", "5", "0 to 4"});
  expect_refused([] { select("[]"); }, {"kernel 'k'", "no column"});
  expect_refused([] { select("1.5"); }, {"kernel 'k'", "1.5"});
}

TEST(ColumnSelection, Globs) {
  EXPECT_TRUE(glob_matches("a*b?c*", "aXXbYc"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*ab", "aab"));
  EXPECT_FALSE(glob_matches("a?", "a"));
  EXPECT_FALSE(glob_matches("a*b", "abc"));
}

TEST(Groups, GmtCountsAbsentMembersAndDropsEmptyGroups) {
  std::istringstream text("S1\tfirst\tmrna_1\tage\tBRCA1\tage\r\n\nS2\t\tTP53\nS3\turl\tage\tprotein\n");
  const Groups groups = read_gmt(text, "sets.gmt", kNames);
  ASSERT_EQ(groups.groups.size(), 2u);
  EXPECT_EQ(groups.groups[0].columns, (Columns{0, 3}));
  EXPECT_EQ(groups.groups[1].columns, (Columns{3, 2}));
  EXPECT_EQ(groups.summary.n_members, 6);
  EXPECT_EQ(groups.summary.n_absent, 2);
  EXPECT_EQ(groups.summary.absent_examples, (std::vector<std::string>{"BRCA1", "TP53"}));
  EXPECT_EQ(groups.summary.dropped_groups, (std::vector<std::string>{"S2"}));
}

TEST(Groups, Refusals) {
  const auto gmt = [](const char* content) {
    std::istringstream text(content);
    read_gmt(text, "sets.gmt", kNames);
  };
  expect_refused([&] { gmt("S1\tonly\n"); }, {"sets.gmt", "line 1"});
  expect_refused([&] { gmt("S1\td\tage\nS1\td\tage\n"); }, {"sets.gmt", "line 2", "'S1'"});
  expect_refused([&] { gmt("S1\td\tTP53\n"); }, {"sets.gmt", "none"});
  expect_refused([] { groups_from_json(Json::parse(R"({"rna": "rna_*"})"), kNames); }, {"group 'rna'", "rna_*"});
  expect_refused([] { groups_from_json(Json::parse("[]"), kNames); }, {"groups", "object"});
  expect_refused([] { read_groups("/nowhere/g.gmt", kNames); }, {"/nowhere/g.gmt"});
}

TEST(KernelList, ParametersMultiplyOutOnEachColumn) {
  const Samples samples = table(6, 3);
  const KernelList list = parse(
      R"([{"type": "gaussian", "width": [0.5, 1], "columns": "each"},
          {"type": "rational_quadratic", "length": [1, 2], "shape": [1, 3], "columns": ["x1", "x3"],
           "normalize": "center", "jitter": 0.1, "name": "rq", "group": "g"},
          {"type": "linear"}])",
      samples);
  ASSERT_EQ(list.kernels.size(), 11u);
  EXPECT_TRUE(list.standardizer);
  EXPECT_EQ(list.kernels[0].name, "gaussian(width=0.5) on x1");
  EXPECT_EQ(list.kernels[3].name, "gaussian(width=1) on x2");
  EXPECT_EQ(list.kernels[3].columns, (Columns{1}));
  EXPECT_EQ(list.kernels[3].normalize, Normalize::trace);
  EXPECT_EQ(list.kernels[7].name, "rq (length=1, shape=3)");
  EXPECT_EQ(list.kernels[7].columns, (Columns{0, 2}));
  EXPECT_EQ(list.kernels[7].normalize, Normalize::center);
  EXPECT_EQ(list.kernels[7].jitter, 0.1);
  EXPECT_EQ(list.kernels[7].group, "g");
  EXPECT_EQ(list.kernels[10].name, "linear on all");
}

TEST(KernelList, GroupsAndSubsetsOfColumns) {
  const Samples samples = table(6, 4);
  const KernelList list = parse(
      R"({"kernels": [{"type": "linear", "columns": {"groups": {"a": "0:2", "b": ["x2", "x4"]}}, "name": "lin"},
                      {"type": "linear", "columns": {"each": "x?"}}], "standardize": false})",
      samples);
  ASSERT_EQ(list.kernels.size(), 6u);
  EXPECT_FALSE(list.standardizer);
  EXPECT_EQ(list.kernels[1].name, "lin on b");
  EXPECT_EQ(list.kernels[1].group, "b");
  EXPECT_EQ(list.kernels[1].columns, (Columns{1, 3}));
  EXPECT_EQ(list.kernels[5].columns, (Columns{3}));
}

TEST(KernelList, EqualNamesAreToldApart) {
  const KernelList list =
      parse(R"([{"type":"linear"}, {"type":"linear","jitter":1}, {"type":"linear","jitter":2}])", table(4, 2));
  EXPECT_EQ(list.kernels[1].name, "linear on all #2");
  EXPECT_EQ(list.kernels[2].name, "linear on all #3");
}

TEST(KernelList, Refusals) {
  const Samples samples = table(5, 3);
  const auto refused = [&](const char* json, const std::vector<std::string>& parts) {
    expect_refused([&] { parse(json, samples); }, parts);
  };
  refused("{}", {"list of objects"});
  refused("[]", {"empty"});
  refused("[3]", {"number 1"});
  refused(R"([{"width": 1}])", {"number 1", "type", "gaussian"});
  refused(R"([{"type": "rbf", "name": "r"}])", {"'r'", "rbf", "gaussian"});
  refused(R"([{"type": "linear"}, {"type": "gaussian", "width": 1, "sigma": 2}])", {"gaussian", "sigma", "width"});
  refused(R"([{"type": "gaussian", "width": 0, "name": "g"}])", {"'g'", "width is 0"});
  refused(R"([{"type": "gaussian", "width": [1, -2]}])", {"width=-2", "width is -2"});
  refused(R"([{"type": "gaussian", "width": "wide", "name": "g"}])", {"'g'", "wide"});
  refused(R"([{"type": "gaussian", "width": [], "name": "g"}])", {"'g'", "width", "empty"});
  refused(R"([{"type": "gaussian", "name": "g"}])", {"'g'", "width"});
  refused(R"([{"type": "linear", "columns": "y9", "name": "l"}])", {"'l'", "'y9'", "x1"});
  refused(R"([{"type": "linear", "columns": [], "name": "l"}])", {"'l'", "no column"});
  refused(R"([{"type": "linear", "columns": ["each"], "name": "l"}])", {"'l'", "each"});
  refused(R"([{"type": "linear", "columns": {"groups": "given"}, "name": "l"}])", {"'l'", "given"});
  refused(R"([{"type": "linear", "normalize": "unit", "name": "l"}])", {"'l'", "unit", "trace"});
  refused(R"([{"type": "linear", "jitter": -1, "name": "l"}])", {"jitter is -1"});
  refused(R"({"kernels": [], "standardise": true})", {"standardise"});
  expect_refused([&] { make_kernel_list("none.json", samples, {}); }, {"none.json", "auto"});
  for (const char* spec : {"random", "random:", "random:0", "random:5x"})
    expect_refused([&] { make_kernel_list(spec, samples, {}); }, {"random:100"});
}

TEST(KernelList, ReadsAFile) {
  const auto path = std::filesystem::temp_directory_path() / "spicymkl_kernel_list_test.json";
  std::ofstream(path) << R"([{"type": "linear", "columns": "each"}])";
  EXPECT_EQ(make_kernel_list(path.string(), table(5, 3), {}).kernels.size(), 3u);
  std::ofstream(path) << "[{";
  expect_refused([&] { make_kernel_list(path.string(), table(5, 3), {}); }, {path.string(), "not JSON"});
  std::filesystem::remove(path);
}

TEST(Presets, PaperHasItsKernelsInOrder) {
  const Samples samples = table(20, 3);
  const KernelList list = make_kernel_list("paper", samples, {});
  ASSERT_EQ(list.kernels.size(), 27u * 4);
  ASSERT_TRUE(list.standardizer);
  const std::vector<double> first = {0.1, 0.25, 0.5, 0.75, 1, 2, 3};
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(list.kernels[k].parameters.at("width"), first[k]);
  EXPECT_EQ(list.kernels[23].parameters.at("width"), 20);
  EXPECT_EQ(list.kernels[26].type, "polynomial");
  EXPECT_EQ(list.kernels[26].parameters, (KernelParameters{{"scale", 1}, {"offset", 1}, {"degree", 3}}));
  EXPECT_EQ(list.kernels[27].columns, (Columns{1}));
  EXPECT_EQ(list.kernels[107].columns, (Columns{0, 1, 2}));
  EXPECT_EQ(list.kernels[107].normalize, Normalize::trace);
}

TEST(Presets, GroupsReplaceColumns) {
  const Samples samples = table(20, 4);
  KernelListOptions options;
  options.groups = groups_from_json(Json::parse(R"({"a": "0:2", "b": "1:4"})"), samples.columns);
  const KernelList paper = make_kernel_list("paper", samples, options);
  ASSERT_EQ(paper.kernels.size(), 27u * 3);
  EXPECT_EQ(paper.kernels[27].group, "b");
  EXPECT_EQ(paper.kernels[27].columns, (Columns{1, 2, 3}));
  for (const KernelSpec& kernel : make_kernel_list("auto", samples, options).kernels)
    EXPECT_GE(kernel.columns.size(), 2u);
  expect_refused([&] { make_kernel_list("random:3", samples, options); }, {"groups"});
}

TEST(Presets, RandomIsSeededAndInRange) {
  const Samples samples = table(20, 5);
  const auto kernels = random_kernels(samples, 4000, 7), again = random_kernels(samples, 4000, 7);
  const auto other = random_kernels(samples, 4000, 8);
  std::vector<int> sizes(6);
  double mean_width = 0;
  std::set<Columns> pairs;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    EXPECT_EQ(kernels[k].name, again[k].name);
    EXPECT_EQ(kernels[k].parameters, again[k].parameters);
    EXPECT_GE(kernels[k].parameters.at("width"), 0.1);
    ++sizes[kernels[k].columns.size()];
    mean_width += kernels[k].parameters.at("width") / 4000;
    if (kernels[k].columns.size() == 2) pairs.insert(kernels[k].columns);
  }
  for (int size = 1; size <= 5; ++size) EXPECT_NEAR(sizes[static_cast<std::size_t>(size)], 800, 120);
  EXPECT_EQ(pairs.size(), 10u);
  EXPECT_NEAR(mean_width, 5.1, 0.5);
  EXPECT_NE(kernels[0].parameters, other[0].parameters);
}

TEST(Presets, AutoTakesAnyTableAndEveryKernelFits) {
  Samples samples = table(40, 5);
  samples.values.col(1).setConstant(2);
  for (Index i = 0; i < 40; ++i) samples.values(i, 3) = static_cast<double>(i % 3);
  samples.categorical = {false, false, false, true, false};
  for (const bool standardize : {true, false}) {
    KernelListOptions options;
    options.standardize = standardize;
    const KernelList list = make_kernel_list("auto", samples, options);
    EXPECT_EQ(list.kernels.size(), 3u * 2 + 1 + 7) << "overlap on the one categorical column, merged with that on all";
    Samples seen = samples;
    if (list.standardizer) list.standardizer->apply(seen);
    for (const KernelSpec& spec : list.kernels) {
      Matrix gram(40, 40);
      FittedKernel::fit(spec, seen, 1).gram(seen, gram, 1);
      EXPECT_NEAR(gram.trace(), 1, 1e-12) << spec.name;
    }
  }
}

TEST(Presets, PartsOfAutoMakeUpTheWhole) {
  Samples samples = table(40, 4);
  samples.categorical = {false, false, true, true};
  for (Index i = 0; i < 40; ++i) samples.values(i, 2) = samples.values(39 - i, 3) = static_cast<double>(i % 3);
  const auto names = [&](const char* preset) {
    std::set<std::string> all;
    for (const KernelSpec& spec : make_kernel_list(preset, samples, {}).kernels) all.insert(spec.name);
    return all;
  };
  std::set<std::string> parts = names("auto:columns");
  for (const KernelSpec& spec : make_kernel_list("auto:columns", samples, {}).kernels)
    EXPECT_EQ(spec.columns.size(), 1u);
  for (const KernelSpec& spec : make_kernel_list("auto:joint", samples, {}).kernels) EXPECT_GT(spec.columns.size(), 1u);
  parts.merge(names("auto:joint"));
  EXPECT_EQ(names("auto"), parts);
  EXPECT_EQ(names("auto:both"), parts);
  EXPECT_EQ(make_kernel_list("auto:columns", table(10, 1), {}).kernels.size(), 3u) << "also of a single column";
  EXPECT_EQ(presets_to_try("auto", false).size(), 3u);
  EXPECT_EQ(presets_to_try("auto", true), std::vector<std::string>{"auto"});
  EXPECT_EQ(presets_to_try("auto:joint", false), std::vector<std::string>{"auto:joint"});
}

TEST(Presets, ThoseToTryHaveDifferentKernels) {
  using Kernels = std::set<std::tuple<std::string, KernelParameters, Columns>>;
  const std::vector<std::string> all = presets_to_try("auto", false);
  for (const auto& [n_columns, n_categorical] :
       {std::pair{1, 0}, std::pair{1, 1}, std::pair{2, 0}, std::pair{2, 1}, std::pair{2, 2}}) {
    Samples samples = table(20, n_columns);
    samples.categorical.assign(n_columns, false);
    for (Index j = 0; j < n_categorical; ++j) {
      samples.categorical[j] = true;
      for (Index i = 0; i < 20; ++i) samples.values(i, j) = static_cast<double>(i * (j + 1) % 3);
    }
    std::vector<std::string> different;
    std::set<Kernels> seen;
    for (const std::string& preset : all) {
      Kernels kernels;
      for (const KernelSpec& spec : make_kernel_list(preset, samples, {}).kernels)
        kernels.insert({spec.type, spec.parameters, spec.columns});
      if (seen.insert(kernels).second) different.push_back(preset);
    }
    EXPECT_EQ(distinct_presets(all, n_columns, n_categorical), different) << n_columns << " " << n_categorical;
  }
}

TEST(Presets, PartsOfAutoHaveNoGroups) {
  const Samples samples = table(20, 3);
  KernelListOptions options;
  options.groups.groups = {{"first", {0, 1}}};
  expect_refused([&] { make_kernel_list("auto:columns", samples, options); }, {"single columns", "no groups"});
  expect_refused([] { make_kernel_list("auto:jiont", table(10, 1), {}); },
                 {"auto:jiont", "did you mean", "auto:joint"});
}

TEST(Presets, AutoTellsCodesApart) {
  Samples samples = table(40, 2);
  const auto count = [&] { return make_kernel_list("auto", samples, {}).kernels.size(); };
  EXPECT_EQ(count(), 2u * 2 + 7);
  for (Index i = 0; i < 40; ++i) samples.values(i, 1) = static_cast<double>(i % 4);
  EXPECT_EQ(count(), 2u * 2 + 1 + 7);
  for (Index i = 0; i < 40; ++i) samples.values(i, 1) = static_cast<double>(i % 2);  // any width tells two values apart
  EXPECT_EQ(count(), 2u * 2 + 7);
}

TEST(Presets, AutoOnWideConstantAndSingleColumnTables) {
  EXPECT_EQ(make_kernel_list("auto", table(10, 201), {}).kernels.size(), 3u * 201 + 7);
  EXPECT_EQ(make_kernel_list("auto", table(10, 1), {}).kernels.size(), 7u);
  Samples constant = table(10, 2);
  constant.values.setOnes();
  expect_refused([&] { make_kernel_list("auto", constant, {}); }, {"auto", "constant"});
}

TEST(Presets, PaperAndRandomRefuseCategoricalColumns) {
  Samples samples = table(10, 2);
  samples.values.col(1).setZero();
  samples.categorical = {false, true};
  for (const char* spec : {"paper", "random:3"})
    expect_refused([&] { make_kernel_list(spec, samples, {}); }, {"'x2'", "categorical", "auto"});
}

}  // namespace
}  // namespace spicymkl
