// Every kernel belongs to one source, and the sources together carry all that the kernels carry.
#include "spicymkl/model/sources.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io_files.hpp"
#include "support/table_models.hpp"

namespace spicymkl {
namespace {

using test::random_table;
using test::train_on;

std::vector<std::string> names_of(const std::vector<Source>& sources) {
  std::vector<std::string> names;
  for (const Source& source : sources) names.push_back(source.name);
  return names;
}

TEST(Sources, SumsAreThoseOfTheKernels) {
  const Model model = train_on(random_table(60, 3, 1), "auto");
  const std::vector<Source> sources = kernel_sources(model);
  std::set<Index> seen;
  std::set<Index> active;
  for (const Index m : active_kernels(model.fits)) active.insert(m);
  for (const Source& source : sources) {
    Index n_active = 0;
    for (const Index m : source.kernels) {
      EXPECT_TRUE(seen.insert(m).second);
      n_active += active.contains(m);
    }
    EXPECT_EQ(source.n_active, n_active);
    for (std::size_t f = 0; f < model.fits.size(); ++f) {
      const Fit& fit = model.fits[f];
      const Vector weights = fit.weights(model.n_kernels());
      double weight = 0, norm = 0;
      for (const Index m : source.kernels) {
        weight += weights(m);
        for (std::size_t k = 0; k < fit.expansion.kernels.size(); ++k)
          if (fit.expansion.kernels[k] == m) norm += fit.certificate.norms(static_cast<Index>(k));
      }
      EXPECT_NEAR(source.weight(static_cast<Index>(f)), weight, 1e-12 * (1 + weight));
      EXPECT_NEAR(source.norm(static_cast<Index>(f)), norm, 1e-12 * (1 + norm));
    }
  }
  EXPECT_EQ(std::ssize(seen), model.n_kernels());
  const Matrix shares = weight_shares(sources);
  for (Index f = 0; f < shares.cols(); ++f) EXPECT_NEAR(shares.col(f).sum(), 1, 1e-12);
}

TEST(Sources, AllColumnsAreCalledSo) {
  const Model model = train_on(random_table(60, 2, 1), "auto");
  // "overlap" on all categorical columns is that on the only one.
  EXPECT_EQ(names_of(kernel_sources(model)),
            (std::vector<std::string>{"a", "b", "colour", "d", "all numeric columns"}));
  Table constant = random_table(60, 2, 1);
  constant.columns = {"a", "b", "c", "d", "e", "f"};
  constant.categories.assign(6, {});
  constant.values.conservativeResize(60, 6);
  constant.values.col(4) = constant.values.col(0).cwiseProduct(constant.values.col(3));
  constant.values.col(5).setOnes();
  EXPECT_EQ(kernel_sources(train_on(constant, "auto")).back().name, "all 5 columns in use");
  constant.values(0, 5) = 2;
  EXPECT_EQ(kernel_sources(train_on(constant, "auto")).back().name, "all columns");
}

TEST(Sources, GroupsAreSourcesAndNamesDiffer) {
  const test::TemporaryFolder folder;
  KernelChoice kernels;
  kernels.groups = folder.write("g.json", R"({"a": ["b", "d"], "rest": ["a", "colour"]})");
  const Model model = train_on(random_table(60, 2, 1), "auto", kernels);
  const auto names = names_of(kernel_sources(model));
  EXPECT_EQ(names, (std::vector<std::string>{"a", "rest", "all numeric columns"}));
  Model twice = model;
  for (auto& spec : twice.table->specs) {
    if (spec->group != "rest") continue;
    KernelSpec renamed = *spec;
    renamed.group = "all numeric columns";
    spec = std::make_shared<const KernelSpec>(std::move(renamed));
  }
  EXPECT_EQ(names_of(kernel_sources(twice)),
            (std::vector<std::string>{"a", "all numeric columns", "all numeric columns #2"}));
}

TEST(Sources, PrecomputedKernelsAreSourcesOfTheirOwn) {
  Model model = train_on(random_table(60, 2, 1), "auto");
  model.table.reset();
  EXPECT_EQ(names_of(kernel_sources(model)), model.kernel_names);
}

}  // namespace
}  // namespace spicymkl
