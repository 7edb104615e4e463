// What a model file gives back is what was put in, to the bit.
#include "spicymkl/model/model_file.hpp"

#include <gtest/gtest.h>

#include "io/atomic_file.hpp"
#include "io/safetensors.hpp"
#include "io_files.hpp"
#include "model/decision.hpp"
#include "support/table_models.hpp"

namespace spicymkl {
namespace {

using test::predict;
using test::prepared;
using test::random_table;
using test::train_on;

TEST(SafetensorsTest, LentMatricesAreWrittenLikeCopies) {
  const Matrix wide = Matrix::Random(300, 5001), empty(4, 0);  // more than one piece, and a last strip that is not full
  TensorFile copied, lent;
  copied.tensors = {{"wide", Tensor::of_matrix(wide)}, {"empty", Tensor::of_matrix(empty)}, {"x", {{2}, {1, 2}}}};
  lent.tensors = {{"x", {{2}, {1, 2}}}};
  lent.lent = {{"wide", &wide}, {"empty", &empty}};
  EXPECT_TRUE(to_safetensors(lent) == to_safetensors(copied));
  for (const int threads : {1, 3}) {
    EXPECT_EQ(tensor_checksum(lent, threads), tensor_checksum(copied));
    std::string pieces;
    write_safetensors(lent, threads, [&](std::string_view piece) { pieces += piece; });
    EXPECT_TRUE(pieces == to_safetensors(copied));
  }
}

class ModelFile : public testing::TestWithParam<std::pair<int, std::string>> {};

TEST_P(ModelFile, PredictionsOfALoadedModelAreBitwiseThoseOfTheFittedOne) {
  const auto& [n_classes, loss] = GetParam();
  const Model fitted = train_on(random_table(60, n_classes, 1), loss);
  const test::TemporaryFolder folder;
  const std::string path = folder.path("m.safetensors");
  write_file(path, to_bytes(fitted));
  const Model loaded = load_model(path);
  const Table fresh = random_table(100, n_classes, 2);
  const Scores before = predict(fitted, fresh), after = predict(loaded, fresh);
  EXPECT_TRUE(before.values == after.values);
  ASSERT_EQ(before.shares.size(), after.shares.size());
  for (std::size_t f = 0; f < before.shares.size(); ++f) EXPECT_TRUE(before.shares[f] == after.shares[f]);
  EXPECT_EQ(to_bytes(loaded), to_bytes(fitted));
}

INSTANTIATE_TEST_SUITE_P(All, ModelFile,
                         testing::Values(std::pair{0, "squared"}, std::pair{2, "logistic"}, std::pair{3, "hinge"}));

TEST(Model, ScoresDoNotDependOnTheBatch) {
  const Model model = train_on(random_table(60, 2, 1), "auto");
  const Table fresh = random_table(300, 2, 2);
  const Scores whole = predict(model, fresh);
  const auto scorer = make_table_scorer(model, prepared(model, fresh), 3);
  for (const Index first : {Index{0}, Index{1}, Index{77}, Index{299}}) {
    const Index count = std::min<Index>(101, 300 - first);
    EXPECT_TRUE(scorer->scores(first, count).values == whole.values.middleRows(first, count));
  }
}

TEST(Model, ProbabilitiesOfExtremeScoresAreFinite) {
  Model model;
  model.classes = {"a", "b", "c"};
  model.fits.resize(3);
  Matrix scores(2, 3);
  scores << -1e4, -1e4, -1e4, 800, -800, 0;
  const Matrix chances = probabilities(model, scores);
  EXPECT_TRUE(chances.allFinite());
  EXPECT_NEAR(chances.row(0).sum(), 1, 1e-12);
  EXPECT_NEAR(chances.row(1).sum(), 1, 1e-12);
}

}  // namespace
}  // namespace spicymkl
