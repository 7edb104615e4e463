// Several targets: from the columns of a file to models of all at once, and of each by itself.
#include <gtest/gtest.h>

#include <cmath>

#include "io_files.hpp"
#include "io_numpy_bytes.hpp"
#include "spicymkl/io/label_file.hpp"
#include "spicymkl/io/read_table.hpp"
#include "spicymkl/model/certificate_json.hpp"
#include "spicymkl/model/model_file.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/measure.hpp"
#include "support/problems.hpp"

namespace spicymkl {
namespace {

using test::cells;
using test::expect_contains;
using test::npy;
using test::refusal;
using test::TemporaryFolder;
using testing_support::bank_of;
using testing_support::Generator;
using testing_support::normal_matrix;
using testing_support::random_kernels;
using Texts = std::vector<std::string>;

Table read_text(const std::string& text, const Texts& targets, const std::string& name = "t.csv") {
  const TemporaryFolder folder;
  TableOptions options;
  options.targets = targets;
  return read_table(folder.write(name, text), options);
}

TEST(SeveralTargets, AreReadInTheOrderThatWasAskedFor) {
  const Table table = read_text("a,x,b\n1,10,2\n3,20,\n", {"b", "a"});
  EXPECT_EQ(table.target_names, (Texts{"b", "a"}));
  EXPECT_EQ(table.target_name, "b, a");
  EXPECT_EQ(table.columns, (Texts{"x"}));
  EXPECT_EQ(table.targets.col(1), (Vector(2) << 1, 3).finished());
  EXPECT_TRUE(table.targets(0, 0) == 2 && std::isnan(table.targets(1, 0)));
  EXPECT_TRUE(table.target.empty());
  const Table last = select_rows(table, std::vector<Index>{1});
  EXPECT_EQ(last.targets(0, 1), 3);
  expect_contains(refusal([&] { make_target(table, "auto"); }), "line 3, column 'b': the target is missing");
}

TEST(SeveralTargets, AreNamedOnceAndHaveOneRole) {
  const std::string text = "a,x,b\n1,10,2\n3,20,4\n";
  expect_contains(refusal([&] { read_text(text, {"a", "b", "0"}); }), "names column 'a' twice");
  expect_contains(refusal([&] { read_text("a,x,b\n1,10,p\n3,20,q\n", {"a", "b"}); }), "column 'b'");
}

TEST(SeveralTargets, MayBeAMatrixOfAnArchive) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("t.npz", test::zip({{"X.npy", npy("<f8", "(3, 1)", cells<double>({1, 2, 3}))},
                                       {"Y.npy", npy("<f8", "(3, 2)", cells<double>({1, 2, 3, 4, 5, 6}))}},
                                      {}));
  TableOptions options;
  options.target = "Y";
  const Table table = read_table(path, options);
  EXPECT_EQ(table.target_names, (Texts{"Y0", "Y1"}));
  EXPECT_EQ(table.targets, (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished());
}

TEST(SeveralTargets, OfALabelFile) {
  const TemporaryFolder folder;
  const auto matrix = read_several_targets(folder.write("y.npy", npy("<f8", "(2, 2)", cells<double>({1, 2, 3, 4}))));
  ASSERT_TRUE(matrix.has_value());
  EXPECT_EQ(*matrix, (Matrix(2, 2) << 1, 2, 3, 4).finished());
  for (const char* shape : {"(4,)", "(4, 1)"})
    EXPECT_FALSE(read_several_targets(folder.write("y.npy", npy("<f8", shape, cells<double>({1, 2, 3, 4})))));
  EXPECT_FALSE(read_several_targets(folder.write("y.txt", "1\n2\n")));
}

TEST(SeveralTargets, LabelsAndRows) {
  Target target =
      make_several_targets((Matrix(3, 2) << 1, 2, 3, 5, 4, 6).finished(), {"a", "b"}, "auto", MultiOutput::joint, "y");
  EXPECT_EQ(target.loss, "squared");
  EXPECT_TRUE(target.joint() && target.n_fits() == 1 && target.n_outputs() == 2 && target.n_rows() == 3);
  EXPECT_EQ(target.labels(0), (Vector(6) << 1, 3, 4, 2, 5, 6).finished());
  EXPECT_EQ(target.target_name(0), "");
  target.multi_output = MultiOutput::each;
  EXPECT_TRUE(target.n_fits() == 2 && target.n_outputs() == 1 && target.n_scores() == 2);
  EXPECT_EQ(target.labels(1), (Vector(3) << 2, 5, 6).finished());
  EXPECT_EQ(target.target_name(1), "b");
  EXPECT_EQ(target.rows(std::vector<Index>{2, 0}).labels(0), (Vector(2) << 4, 1).finished());
  expect_contains(refusal([] {
                    make_several_targets(Matrix::Ones(3, 2), {"a", "b"}, "auto", MultiOutput::each, "y");
                  }),
                  "'a': all 3 rows have the value 1");
}

class TrainedTargets : public testing::Test {
 protected:
  TrainedTargets() {
    kernels = random_kernels(X, 6, random);
    Y = X.leftCols(4) * normal_matrix(4, 5, random) + 0.3 * normal_matrix(30, 5, random);
  }

  TrainingInput input(MultiOutput how, int threads) const {
    TrainingInput made;
    made.bank = bank_of(kernels, threads);
    made.target = make_several_targets(Y, {"a", "b", "c", "d", "e"}, "auto", how, "y");
    return made;
  }

  Generator random{7};
  Matrix X = normal_matrix(30, 6, random), Y;
  std::vector<Matrix> kernels;
};

TEST_F(TrainedTargets, SideBySideIsOneAfterTheOther) {
  TrainingPlan plan;
  plan.settings.tol = 1e-6;
  const Model one = train_model(input(MultiOutput::each, 1), plan).model;
  const Model side_by_side = train_model(input(MultiOutput::each, 4), plan).model;
  ASSERT_EQ(side_by_side.fits.size(), 5u);
  EXPECT_TRUE(side_by_side.converged());
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(side_by_side.fits[k].target, std::string(1, static_cast<char>('a' + k)));
    EXPECT_EQ(side_by_side.fits[k].title(), "target " + side_by_side.fits[k].target);
    EXPECT_NEAR(side_by_side.fits[k].certificate.primal, one.fits[k].certificate.primal,
                2e-6 * one.fits[k].certificate.primal);
  }
}

TEST_F(TrainedTargets, CheckpointsBetweenBlocksResume) {
  TrainingPlan plan;
  plan.settings.max_iter = 1;
  plan.settings.tol = 1e-12;
  TrainingState kept;
  const TrainingInput learned = input(MultiOutput::each, 2);
  int n_last = 0;
  train_model(learned, plan, {}, {}, [&](const auto& state, bool last) {
    kept = state();
    n_last += last;
  });
  EXPECT_EQ(n_last, 1);
  EXPECT_EQ(kept.fits.size(), 5u);
  plan.settings.max_iter = 200;
  plan.settings.tol = 1e-8;
  const TrainedModel again = train_model(learned, plan, {}, kept, {});
  EXPECT_TRUE(again.model.converged());
  EXPECT_EQ(again.model.fits.size(), 5u);
}

TEST_F(TrainedTargets, ModelFilesKeepThem) {
  for (const MultiOutput how : {MultiOutput::joint, MultiOutput::each}) {
    const Model model = train_model(input(how, 1), {}).model;
    EXPECT_EQ(model.format_version(), 3);
    const std::string bytes = to_bytes(model);
    const Model loaded = model_from_bytes(bytes, "m");
    EXPECT_EQ(loaded.targets, model.targets);
    EXPECT_EQ(loaded.fits.back().target, how == MultiOutput::joint ? "" : "e");
    EXPECT_TRUE(to_bytes(loaded) == bytes);
    EXPECT_EQ(certificate_json(loaded), certificate_json(model));
  }
}

TEST_F(TrainedTargets, MeasuresAreMeansOverTargets) {
  const TrainingInput learned = input(MultiOutput::joint, 1);
  const Model model = train_model(learned, {}).model;
  const Matrix scores = 0.9 * Y;
  const Evaluation evaluation = evaluate(model, learned.target, scores);
  ASSERT_EQ(evaluation.by_target.size(), 5u);
  double r2 = 0, rmse = 0;
  for (Index k = 0; k < 5; ++k) {
    const Vector error = Y.col(k) - scores.col(k);
    const Vector centred = Y.col(k).array() - Y.col(k).mean();
    r2 += (1 - error.squaredNorm() / centred.squaredNorm()) / 5;
    rmse += std::sqrt(error.squaredNorm() / 30) / 5;
  }
  EXPECT_NEAR(*value_of(Metric::r2, evaluation), r2, 1e-12);
  EXPECT_NEAR(*value_of(Metric::rmse, evaluation), rmse, 1e-12);
  EXPECT_EQ(choose_metric("auto", learned.target), Metric::r2);
}

}  // namespace
}  // namespace spicymkl
