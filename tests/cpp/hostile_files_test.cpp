// Small files that once took much memory, or led past the end of something: refused where they are read.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "../fuzz/small_problem.hpp"
#include "io/json_text.hpp"
#include "io/safetensors.hpp"
#include "io_files.hpp"
#include "io_numpy_bytes.hpp"
#include "pipeline/checkpoint.hpp"
#include "spicymkl/io/read_table.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl {
namespace {

using Json = nlohmann::json;
using test::expect_contains;
using test::refusal;

// ---- Tables

TEST(HostileTable, AnIndexOutOfProportionToTheFileIsRefused) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("a.libsvm", "1 1:1\n2 200000000:1\n");
  const std::string why = refusal([&] { read_table(path); });
  expect_contains(why, "line 2");
  expect_contains(why, "200000000 columns out of 20 bytes");
  test::expect_one_sentence(why);
}

TEST(HostileTable, SparseTextIsInProportion) {
  std::string rows;  // words of newspapers: 47,236 of them, 74 in a document
  for (int i = 0; i < 20; ++i) {
    rows += i % 2 == 0 ? "1" : "-1";
    for (int j = 1; j <= 74; ++j) rows += " " + std::to_string(638 * j) + ":0.0123456";
    rows += "\n";
  }
  const test::TemporaryFolder folder;
  EXPECT_EQ(read_table(folder.write("a.libsvm", rows)).values.cols(), 638 * 74);
}

TEST(HostileTable, AnArrayWithoutRowsIsRefusedBeforeItsColumnsAreNamed) {
  const test::TemporaryFolder folder;
  const std::string empty = test::npy("<f8", "(0, 1099511627776)", "");
  expect_contains(refusal([&] { read_table(folder.write("a.npy", empty)); }), "has no rows");
  expect_contains(refusal([&] { read_table(folder.write("a.npz", test::zip({{"x.npy", empty}}))); }), "has no rows");
}

TEST(HostileTable, MoreColumnsThanAnyTableHasAreRefusedBeforeTheyAreNamed) {
  const test::TemporaryFolder folder;
  const std::string commas(6'000'000, ',');  // a few kilobytes, compressed
  expect_contains(refusal([&] { read_table(folder.write_gzip("a.csv.gz", commas)); }), "line 1: has 6000001 columns");
  expect_contains(refusal([&] { read_table(folder.write_gzip("a.csv.gz", "a,b\n" + commas)); }), "line 2: has 6000001");
  const std::string array = test::npy("|u1", "(1, 6000000)", std::string(6'000'000, '\0'));
  expect_contains(refusal([&] { read_table(folder.write("a.npy", array)); }), "has 6000000 columns");
  expect_contains(refusal([&] {
                    read_table(folder.write("a.npz", test::zip({{"x.npy", array}}, {.deflate = true})));
                  }),
                  "has 6000000 columns");
}

TEST(HostileTable, ArraysOfAnArchiveDoNotShareTheirBytes) {
  const std::string array = test::npy("<f8", "(1000, 1)", std::string(8000, '\0'));
  std::string archive = test::zip({{"a.npy", array}, {"b.npy", array}});
  // The directory gives both members the whole of the first one's bytes and more.
  const std::size_t second = archive.rfind("PK\1\2");
  archive.replace(second + 20, 4, test::little_endian(2 * array.size(), 4));
  const test::TemporaryFolder folder;
  expect_contains(refusal([&] { read_table(folder.write("a.npz", archive)); }), "overlap");
}

TEST(HostileModel, TensorsDoNotShareTheirBytes) {
  const std::string header =
      R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},"b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}})";
  const std::string bytes = test::little_endian(header.size(), 8) + header + std::string(16, '\0');
  expect_contains(refusal([&] { parse_safetensors(bytes, "m.safetensors"); }), "overlap");
}

TEST(HostileTable, AdviceOnAColumnOfALongNameGivesItsPosition) {
  const test::TemporaryFolder folder;
  const std::string name(100'000, 'n');
  const std::string path = folder.write("a.csv", "a," + name + "\nx,u\ny,v\nx,v\n");
  const std::string why = refusal([&] { read_table(path); });
  EXPECT_LT(why.size(), 1000U);
  expect_contains(why, "--drop 1");
}

TEST(HostileTable, MessagesHaveAnEnd) {
  const InputError error(std::string(1'000'000, '\x01'));
  EXPECT_LT(std::string(error.what()).size(), 8100U);
  EXPECT_TRUE(std::string(error.what()).ends_with("…"));
}

// ---- Kernel lists

std::string numbers(int n) {
  std::string list;
  for (int k = 1; k <= n; ++k) list += (k == 1 ? "" : ",") + std::to_string(k);
  return "[" + list + "]";
}

TEST(HostileKernelList, ListsThatMultiplyOutBeyondReasonAreRefused) {
  const std::string many = numbers(1000);
  const std::string list =
      R"([{"type":"polynomial","columns":"a","degree":)" + many + R"(,"scale":)" + many + R"(,"offset":)" + many + "}]";
  const std::string why = refusal([&] { make_kernel_list(list, fuzz::small_samples(), {}); });
  expect_contains(why, "1000000000 kernels");
  test::expect_one_sentence(why);
}

TEST(HostileKernelList, UnknownKeysDoNotMultiply) {
  std::string list = R"([{"type":"gaussian")";
  for (int k = 0; k < 30; ++k) list += R"(,"p)" + std::to_string(k) + R"(":)" + numbers(10);
  refusal([&] { make_kernel_list(list + "}]", fuzz::small_samples(), {}); });
}

TEST(HostileKernelList, ManyWidthsAreInProportion) {
  const std::string list = R"([{"type":"gaussian","columns":{"each":["a","b"]},"width":)" + numbers(60'000) + "}]";
  EXPECT_EQ(make_kernel_list(list, fuzz::small_samples(), {}).kernels.size(), 120'000U);
}

// ---- Whole numbers of JSON

TEST(HostileJson, OnlyWholeNumbersAreIndices) {
  EXPECT_EQ(whole_value(Json::parse("7")), 7);
  EXPECT_EQ(whole_value(Json(Index{7})), 7);
  EXPECT_EQ(whole_values(Json::parse("[0, 3]")), (std::vector<Index>{0, 3}));
  for (const char* text : {"-1", "1.5", "1e300", "18446744073709551615", "null", "true", "\"1\"", "[]"})
    expect_contains(refusal([&] { whole_value(Json::parse(text)); }), "whole number");
  expect_contains(refusal([&] { whole_value(Json::parse("11"), 10); }), "from 0 to 10");
  expect_contains(refusal([&] { whole_values(Json::parse("3")); }), "list of whole numbers");
}

// ---- Models

/// A model whose JSON and tensors were changed by someone who knows about the checksum.
template <class Change>
std::string forged(const std::string& bytes, const char* key, const Change& change) {
  TensorFile file = parse_safetensors(bytes, "good");
  Json header = Json::parse(file.metadata.at(key));
  change(header, file);
  header["checksum"] = tensor_checksum(file);
  file.metadata[key] = header.dump();
  return to_safetensors(file);
}

template <class Change>
std::string model_refusal(const Change& change) {
  const TrainingInput input = fuzz::small_input(2, R"([{"type":"gaussian","width":1,"columns":["a","b"]}])");
  const std::string good = to_bytes(train_model(input, fuzz::small_plan()).model);
  const std::string bad = forged(good, "spicymkl", change);
  return refusal([&] { model_from_bytes(bad, "m.safetensors"); });
}

TEST(HostileModel, WeightsOfOtherSamplesAreRefused) {
  expect_contains(model_refusal([](Json&, TensorFile& file) {
                    file.tensors["sample_weights"] = {{3}, {1, 1, 1}};
                  }),
                  "weights and samples differ in number");
}

TEST(HostileModel, ATableWithoutColumnsIsRefused) {
  expect_contains(model_refusal([](Json& header, TensorFile&) {
                    header["table"]["columns"] = Json::array();
                    header["table"]["categories"] = Json::array();
                  }),
                  "no columns");
}

TEST(HostileModel, CountsThatAreNoneAreRefused) {
  for (const double value : {1e300, -1.0, 2.5}) {
    expect_contains(model_refusal([&](Json& header, TensorFile&) { header["n_samples"] = value; }), "whole number");
    expect_contains(model_refusal([&](Json& header, TensorFile&) { header["fits"][0]["iterations"] = value; }),
                    "whole number");
    expect_contains(model_refusal([&](Json& header, TensorFile&) { header["fits"][0]["active"] = {value}; }),
                    "whole number");
    expect_contains(model_refusal([&](Json& header, TensorFile&) {
                      header["fits"][0]["stages"] = {
                          {{"name", "outer"}, {"seconds", 1}, {"iterations", value}, {"newton_steps", 1}}};
                    }),
                    "whole number");
  }
}

// ---- Checkpoints

class HostileCheckpoint : public testing::Test {
 protected:
  const TrainingInput input_ = fuzz::small_input(3, R"([{"type":"gaussian","width":[0.5,2],"columns":["a","b"]}])");

  TrainingState state_with(const WarmStart& start) const { return {{}, 0, start, {}}; }

  void expect_refused(const TrainingState& state) const {
    expect_contains(refusal([&] { check_state(state, input_); }), "does not fit the data");
  }

  /// A start that fits.
  static WarmStart good() { return {Vector::Zero(8), {0, 1}, Matrix::Zero(8, 2), Matrix::Zero(1, 1), {}}; }
};

TEST_F(HostileCheckpoint, AStartThatFitsIsTaken) { EXPECT_NO_THROW(check_state(state_with(good()), input_)); }

TEST_F(HostileCheckpoint, StartsThatDoNotFitAreRefused) {
  WarmStart start = good();
  start.kernels = {0, 2};  // there are two kernels
  expect_refused(state_with(start));
  start.kernels = {0, -1};
  expect_refused(state_with(start));
  start.kernels = {1, 1};
  expect_refused(state_with(start));
  start.kernels = {0};  // fewer than columns
  expect_refused(state_with(start));
  start = good();
  start.coef = Matrix::Zero(3, 2);
  expect_refused(state_with(start));
  start = good();
  start.dual = Vector::Zero(0);
  expect_refused(state_with(start));
}

TEST_F(HostileCheckpoint, AFitThatTheTargetDoesNotHaveIsRefused) {
  TrainingState state;
  TrainingPlan plan = fuzz::small_plan();
  train_model(input_, plan, {}, {}, [&](const auto& current, bool last) {
    if (last) state = current();
  });
  EXPECT_NO_THROW(check_state(state, input_));
  state.fits[3] = state.fits[0];
  expect_refused(state);
}

TEST_F(HostileCheckpoint, CountsOfAHistoryAreInRange) {
  TrainingState state = state_with(good());
  state.current_history.resize(2);
  const test::TemporaryFolder folder;
  for (const double count : {1e300, -1.0, std::nan("")}) {
    const std::string bytes = forged(checkpoint_bytes(state, {}), "spicymkl_checkpoint",
                                     [&](Json&, TensorFile& file) { file.tensors.at("history").values[0] = count; });
    expect_contains(refusal([&] { load_checkpoint(folder.write("c", bytes), {}); }), "out of range");
  }
}

}  // namespace
}  // namespace spicymkl
