// Teams of ranks: what is sent, who keeps what, and what becomes of faults and stops. Banks over ranks answer every
// question in banks_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <numeric>
#include <random>
#include <set>

#include "distributed/allotment.hpp"
#include "distributed/exchange.hpp"
#include "distributed/office.hpp"
#include "distributed/recipe.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "support/thread_communicator.hpp"

namespace spicymkl {
namespace {

using testing_support::ThreadCommunicator;
using testing_support::ThreadRanks;
using testing_support::ThreadTeam;

std::shared_ptr<Samples> some_samples(Index n, Index n_columns) {
  auto samples = std::make_shared<Samples>();
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  samples->values = Matrix::NullaryExpr(n, n_columns, [&] { return normal(random); });
  for (Index j = 0; j < n_columns; ++j) samples->columns.push_back("x" + std::to_string(j));
  return samples;
}

KernelSpec gaussian(std::vector<Index> columns, double width) {
  KernelSpec spec;
  spec.type = "gaussian";
  spec.parameters = {{"width", width}};
  spec.columns = std::move(columns);
  spec.name = "width " + std::to_string(width);
  return spec;
}

std::vector<FittedKernel> some_kernels(const Samples& samples, Index count) {
  std::vector<FittedKernel> kernels;
  for (Index m = 0; m < count; ++m)
    kernels.push_back(FittedKernel::fit(gaussian({m % 3, 3}, 1 + 0.1 * static_cast<double>(m)), samples, 1));
  return kernels;
}

TEST(MessageTest, KernelsOfAllKindsComputeTheSameWhenTheyArrive) {
  auto samples = some_samples(40, 4);
  samples->categorical = {false, false, false, true};
  samples->values.col(3) = samples->values.col(3).array().abs().round();
  samples->views = {{"a", "b"}, {0, 0, 1, 1}, MissingView::zero, Matrix::Ones(40, 2)};
  samples->views.present(5, 1) = 0;
  samples->values.row(5).tail(2).setZero();
  std::vector<KernelSpec> specs = {gaussian({0, 1}, 2), gaussian({2}, 1), gaussian({0}, 1), gaussian({1, 2}, 3)};
  specs[1].normalize = Normalize::center;
  specs[2].features = {.kind = FeatureKind::nystrom, .rank = 10, .seed = 4};
  specs[3].jitter = 0.01;
  specs.push_back({.type = "overlap", .parameters = {}, .columns = {3}, .normalize = Normalize::diagonal});
  Writer out;
  put(*samples, out);
  std::vector<FittedKernel> sent;
  for (const KernelSpec& spec : specs) {
    sent.push_back(FittedKernel::fit(spec, *samples, 1));
    put(sent.back(), out);
  }
  Reader in(out.bytes());
  const Samples received = samples_from(in);
  for (const FittedKernel& kernel : sent) {
    const FittedKernel arrived = kernel_from(in);
    Matrix expected(40, 40), got(40, 40);
    kernel.gram(*samples, expected, 1);
    arrived.gram(received, got, 1);
    EXPECT_EQ(got, expected) << kernel.spec().type << ' ' << kernel.spec().name;
    EXPECT_EQ(arrived.spec().name, kernel.spec().name);
  }
}

TEST(MessageTest, OneThatIsTooShortIsNoticed) {
  Writer out;
  out.put(std::string("kernel"));
  Reader in(std::span(out.bytes()).first(out.bytes().size() - 1));
  EXPECT_THROW(in.text(), std::runtime_error);
}

BankPlan plan_of(Index n_kernels, Index per_family) {
  BankPlan plan;
  plan.n_samples = 500;
  for (Index m = 0; m < n_kernels; ++m) plan.kernels.push_back({.n_columns = 1 + m % 7, .family = m / per_family});
  return plan;
}

TEST(AllotmentTest, RanksHaveEquallyMuchAndSmallFamiliesStayTogether) {
  const BankPlan plan = plan_of(600, 3);
  const std::vector<int> rank_of = allot(plan, std::vector<bool>(600, false), 4);
  std::vector<int> count(4, 0);
  for (std::size_t m = 0; m < 600; ++m) {
    ++count[rank_of[m]];
    EXPECT_EQ(rank_of[m], rank_of[m - m % 3]) << m;
  }
  for (const int one : count) EXPECT_NEAR(one, 150, 15);
}

TEST(AllotmentTest, OneLargeFamilyIsDividedAndKernelsOfRankZeroStay) {
  std::vector<bool> pinned(100, false);
  pinned[7] = pinned[99] = true;
  const std::vector<int> rank_of = allot(plan_of(100, 100), pinned, 3);
  EXPECT_EQ(std::set<int>(rank_of.begin(), rank_of.end()).size(), 3);
  EXPECT_EQ(rank_of[7], 0);
  EXPECT_EQ(rank_of[99], 0);
}

/// What rank 0 concludes when each rank works in its way.
Conclusion conclude_over(int size, const std::function<Answer(int)>& work, bool summed) {
  ThreadRanks ranks(size);
  std::vector<std::thread> others;
  for (int rank = 1; rank < size; ++rank)
    others.emplace_back([&, rank] {
      ThreadCommunicator mine(ranks, rank);
      conclude(mine, attempt([&] { return work(rank); }), summed);
    });
  ThreadCommunicator mine(ranks, 0);
  Conclusion conclusion = conclude(mine, attempt([&] { return work(0); }), summed);
  for (std::thread& other : others) other.join();
  return conclusion;
}

std::string text_of(const std::exception_ptr& fault) {
  try {
    std::rethrow_exception(fault);
  } catch (const Stopped&) {
    return "stopped";
  } catch (const std::bad_alloc&) {
    return "no memory here";
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(ExchangeTest, AnswersAreSummedOrPutSideBySide) {
  const auto work = [](int rank) { return Answer{Matrix::Constant(2, 1, rank + 1), "of " + std::to_string(rank)}; };
  const Conclusion sum = conclude_over(3, work, true);
  ASSERT_EQ(sum.answers.size(), 1);
  EXPECT_EQ(sum.answers[0].numbers, Matrix::Constant(2, 1, 6));
  const Conclusion all = conclude_over(3, work, false);
  ASSERT_EQ(all.answers.size(), 3);
  EXPECT_EQ(all.answers[2].numbers, Matrix::Constant(2, 1, 3));
  EXPECT_EQ(all.answers[1].text, "of 1");
}

TEST(ExchangeTest, AFaultOfAnyRankIsThatOfRankZero) {
  const auto failing = [](int at, auto fault) {
    return conclude_over(
        3,
        [&](int rank) -> Answer {
          if (rank == at) throw fault;
          return {};
        },
        false);
  };
  EXPECT_EQ(text_of(failing(2, InputError("the cat")).fault), "rank 2: the cat");
  EXPECT_EQ(text_of(failing(0, InputError("the cat")).fault), "the cat");
  EXPECT_NE(text_of(failing(1, std::bad_alloc()).fault).find("rank 1: not enough memory"), std::string::npos);
  EXPECT_EQ(text_of(failing(0, std::bad_alloc()).fault), "no memory here");
  EXPECT_EQ(text_of(failing(1, Stopped()).fault), "stopped");
}

TEST(TeamTest, FollowersReturnTheStatusOfTheEnd) {
  ThreadTeam ranks(3);
  EXPECT_EQ(ranks.team()->size(), 3);
  EXPECT_GT(ranks.team()->free_memory(), 0);
  const auto samples = some_samples(20, 4);
  const auto bank =
      make_bank(samples, some_kernels(*samples, 4), {.memory = 1e9, .threads = 1, .maker = spread_over(ranks.team())});
  ranks.end(5);
  EXPECT_EQ(ranks.status(1), 5);
  EXPECT_EQ(ranks.status(2), 5);
  Vector forms(4);
  EXPECT_THROW(bank->quadratic_forms(all_kernels(4), Vector::Ones(20), forms), InputError) << "nobody would answer";
}

TEST(TeamTest, OneRankMakesItsBanksHere) {
  SerialCommunicator alone;
  EXPECT_EQ(spread_over(std::make_shared<Team>(alone)), nullptr);
}

TEST(TeamTest, FilesThatDifferAreNamed) {
  const std::string path = testing::TempDir() + "marked.csv";
  std::ofstream(path) << "a,b\n1,2\n";
  const std::string mark = file_mark(path);
  EXPECT_NO_THROW(compare_marks({path, "/no/such/file"}, {mark, "7 bytes"}));
  std::ofstream(path) << "a,b\n1,3\n";
  try {
    compare_marks({path}, {mark});
    FAIL() << "another file was taken for the same";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("marked.csv' is another file there"), std::string::npos) << error.what();
  }
}

TEST(TeamTest, AStopEndsTheOperationOnAllRanksAndTheNextOneWorks) {
  ThreadTeam ranks(3);
  const auto samples = some_samples(200, 4);
  std::atomic<bool> stop = false;
  const Watch watch = Watch::asking([&] { return stop.load(); });
  BankOptions options{.memory = 1, .threads = 1, .watch = watch, .maker = spread_over(ranks.team())};
  auto bank = make_bank(samples, some_kernels(*samples, 9), options);
  Vector before(9), after(9);
  const Vector v = Vector::Ones(200);
  bank->quadratic_forms(all_kernels(9), v, before);
  stop = true;
  EXPECT_THROW(bank->quadratic_forms(all_kernels(9), v, after), Stopped);
  Vector diagonal(200);
  bank->weighted_diagonal(all_kernels(9), Vector::Ones(9), diagonal);  // what takes no time is answered all the same
  bank->weighted_product({}, Vector(0), v, diagonal);
  EXPECT_EQ(diagonal, Vector::Zero(200)) << "and so is what needs no kernel";
  EXPECT_NE(bank->on_samples({1, 2, 3}), nullptr);
  EXPECT_NE(make_exact_bank(samples, some_kernels(*samples, 9), options, 1e9), nullptr);
  {
    const WrapUp wrap_up(watch);
    bank->quadratic_forms(all_kernels(9), v, after);
  }
  EXPECT_EQ(after, before);
}

TEST(TeamTest, FollowersAreToldToStopWhatTheyDo) {
  ThreadRanks ranks(2);
  ThreadCommunicator leader(ranks, 0), follower(ranks, 1);
  std::int64_t operation = 4;
  const Watch watch = Watch::obeying([&] { return follower.called_off() == operation; });
  EXPECT_FALSE(watch.must_stop());
  leader.call_off(4);
  EXPECT_TRUE(watch.must_stop());
  EXPECT_TRUE(watch.stop_requested());
  operation = 5;
  EXPECT_FALSE(watch.must_stop()) << "the next operation is wanted";
}

TEST(TeamTest, WhatIsNotNeededAnyMoreIsForgotten) {
  ThreadTeam ranks(2);
  const auto samples = some_samples(60, 4);
  const BankOptions options{.memory = 1e9, .threads = 1, .maker = spread_over(ranks.team())};
  const auto kernels = some_kernels(*samples, 6);
  auto& office = ranks.team()->office();
  auto bank = make_bank(samples, kernels, options);
  EXPECT_NE(office.known(samples), nullptr) << "an exact bank of the same rows need not send them again";
  bank.reset();
  EXPECT_EQ(office.known(samples), nullptr);
  bank = make_bank(samples, kernels, options);  // with numbers of its own: the old ones are gone
  Vector forms(6);
  bank->quadratic_forms(all_kernels(6), Vector::Ones(60), forms);
  EXPECT_GT(forms.minCoeff(), 0);
}

TEST(TeamTest, KernelsKnowTheirNamesAndWhatIsKeptOfThem) {
  ThreadTeam ranks(3);
  const auto samples = some_samples(80, 4);
  const auto kernels = some_kernels(*samples, 12);
  const auto bank = make_bank(
      samples, kernels, {.memory = 1e9, .expected_passes = 1000, .threads = 1, .maker = spread_over(ranks.team())});
  EXPECT_EQ(bank->name(11), kernels[11].spec().name);
  ASSERT_EQ(bank->use().size(), 1);
  EXPECT_EQ(bank->use()[0].kind, "dense");
  EXPECT_EQ(bank->use()[0].n_kernels, 12);
  EXPECT_EQ(bank->use()[0].bytes, 12 * 80 * 80 * 8);
}

class Twice final : public KernelFunction {
 public:
  void map(const double* base, double* out, Index n) const override {
    for (Index i = 0; i < n; ++i) out[i] = 2 * base[i];
  }
};

TEST(TeamTest, KernelsWhoseCodeOnlyThisProcessHasStayHere) {
  ThreadTeam ranks(2);
  const auto samples = some_samples(50, 4);
  auto kernels = some_kernels(*samples, 8);
  KernelSpec own;
  own.type = own.name = "twice";
  own.columns = {0, 1};
  own.own_type = std::make_shared<KernelType>(
      KernelType{"twice",
                 "2 x'z",
                 Base::inner_product,
                 ColumnKind::numeric,
                 {},
                 [](const KernelParameters&) -> std::unique_ptr<KernelFunction> { return std::make_unique<Twice>(); }});
  kernels.push_back(FittedKernel::fit(own, *samples, 1));
  const auto bank = make_bank(samples, kernels, {.memory = 1e9, .threads = 1, .maker = spread_over(ranks.team())});
  Matrix gram(50, 50);
  kernels.back().gram(*samples, gram, 1);
  Vector form(1);
  const Vector v = Vector::LinSpaced(50, -1, 1);
  const Index last = 8;
  bank->quadratic_forms({&last, 1}, v, form);
  EXPECT_NEAR(form(0), v.dot(gram * v), 1e-10 * form(0));
}

TEST(TeamTest, OneFitHasTheSameAnswerOverAnyNumberOfRanks) {
  Table table;
  const auto samples = some_samples(120, 4);
  table.path = "made up";
  table.target_name = "y";
  table.columns = samples->columns;
  table.values = samples->values;
  table.categories.resize(4);
  for (Index i = 0; i < 120; ++i)
    table.target.push_back(samples->values(i, 0) + samples->values(i, 1) * samples->values(i, 2) > 0 ? "b" : "a");
  double expected = 0;
  for (const int size : {1, 2, 3, 2}) {
    ThreadTeam ranks(size);
    TablePlan rows;
    rows.kernels.spec = "random:60";
    rows.memory = 1e9;
    rows.threads = 1;
    rows.maker = spread_over(ranks.team());
    TrainingPlan plan;
    plan.settings.tol = 1e-6;
    const TrainingInput input = make_training_input(table, make_target(table, "logistic"), rows);
    const TrainedModel trained = train_model(input, plan);
    const double primal = trained.model.fits.front().certificate.primal;
    if (size == 1) expected = primal;
    EXPECT_TRUE(trained.model.converged());
    EXPECT_NEAR(primal, expected, 1e-9 * expected) << size;
  }
}

}  // namespace
}  // namespace spicymkl
