// Several tables of the same samples: rows are matched by identity, sources are files, and nothing is made up.
#include "spicymkl/io/join_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io_files.hpp"
#include "spicymkl/model/preparation.hpp"

namespace spicymkl::test {
namespace {

class JoinTables : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) { return folder_.write(name, text); }

  Table read(const std::vector<std::string>& files, MissingView missing = MissingView::error,
             const std::string& target = "y") {
    return read_tables(parse_sources(files), options(target), missing);
  }

  std::string refused(const std::vector<std::string>& files, MissingView missing = MissingView::error,
                      const std::string& target = "y") {
    const std::string text = refusal([&] { read(files, missing, target); });
    expect_one_sentence(text);
    return text;
  }

  static TableOptions options(const std::string& target) {
    TableOptions options;
    options.id = "id";
    options.target = target;
    return options;
  }

  TemporaryFolder folder_;
  std::string rna_ = file("rna.csv", "id,x,z\np 2,2,20\np 1,1,10\np 3,3,30\n");
  std::string atac_ = file("atac.csv", "x,id\n7,p 1\n9,p 3\n8,p 2\n");
  std::string clinical_ = file("clinical.csv", "id,y,age\np 3,c,63\np 1,a,61\np 2,b,62\n");
};

TEST_F(JoinTables, RowsAreMatchedWhateverTheirOrder) {
  const Table table = read({rna_, atac_, clinical_});
  EXPECT_EQ(table.columns, (std::vector<std::string>{"rna:x", "rna:z", "atac:x", "clinical:age"}));
  EXPECT_EQ(table.ids, (std::vector<std::string>{"p 1", "p 2", "p 3"}));
  EXPECT_EQ(table.target, (std::vector<std::string>{"a", "b", "c"}));
  Matrix expected(3, 4);
  expected << 1, 10, 7, 61, 2, 20, 8, 62, 3, 30, 9, 63;
  EXPECT_EQ(table.values, expected);
  EXPECT_EQ(table.views.of_column, (std::vector<Index>{0, 0, 1, 2}));
  EXPECT_EQ(table.views.present.size(), 0);
  EXPECT_EQ(table.place(1, 2), atac_ + ", line 4 (id 'p 2'), column 'x'");
  EXPECT_EQ(table.target_place(0), clinical_ + ", line 3 (id 'p 1'), column 'y'");
}

TEST_F(JoinTables, SamplesThatATableLacks) {
  const std::string atac = file("few.csv", "x,id\n9,p 3\n7,p 1\n");
  const std::string text = refused({rna_, atac, clinical_});
  expect_contains(text, "of 3 samples, " + atac + " lacks 1 (such as id 'p 2')");
  const Table dropped = read({rna_, atac, clinical_}, MissingView::drop);
  EXPECT_EQ(dropped.ids, (std::vector<std::string>{"p 1", "p 3"}));
  EXPECT_EQ(dropped.remarks, (std::vector<std::string>{"1 of 3 samples is left out: " + atac + " lacks 1"}));
  const Table kept = read({rna_, "atac=" + atac, clinical_}, MissingView::zero);
  EXPECT_EQ(kept.views.present.col(1), Vector({{1.0, 0.0, 1.0}}));
  EXPECT_TRUE(std::isnan(kept.values(1, 2)));
  EXPECT_EQ(kept.remarks.front(), atac + " lacks 1 of 3 samples: source 'atac' says nothing of them");
  check_complete(kept);  // a cell of a source that lacks the row is not missing
  const Samples samples = to_samples(kept);
  EXPECT_EQ(samples.values(1, 2), 0);
  EXPECT_EQ(samples.place(1), "id 'p 2'");
}

TEST_F(JoinTables, SamplesWithoutTargetAreLeftOut) {
  const std::string some = file("some.csv", "id,y\np 1,a\np 2,b\n");
  const Table table = read({rna_, some}, MissingView::error);
  EXPECT_EQ(table.ids, (std::vector<std::string>{"p 1", "p 2"}));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"rna:x", "rna:z"}));
  expect_contains(table.remarks.front(), "1 sample without a target is left out: " + some);
}

TEST_F(JoinTables, IdentitiesAreCheckedByFileAndRow) {
  const std::string twice = file("twice.csv", "x,id\n9,p 3\n7,p 1\n8,p 3\n");
  std::string text = refused({twice, clinical_}, MissingView::zero);
  expect_contains(text, twice + ", line 4");
  expect_contains(text, "line 2");
  expect_contains(text, "'p 3'");
  const std::string empty = file("empty.csv", "x,id\n9,p 3\n7,\n");
  expect_contains(refused({empty, clinical_}, MissingView::zero), empty + ", line 3");
  const std::string unnamed = file("unnamed.csv", "x,key\n9,p 3\n");
  expect_contains(refused({rna_, unnamed, clinical_}), unnamed + ": there is no column 'id'");
  const std::string others = file("others.csv", "x,id\n9,q 3\n7,q 1\n");
  for (const MissingView missing : {MissingView::error, MissingView::drop, MissingView::zero}) {
    text = refused({rna_, others, clinical_}, missing);
    expect_contains(text, others + ": it has no sample in common");
    expect_contains(text, "'q 3'");
  }
}

TEST_F(JoinTables, NamesAndTheTarget) {
  expect_contains(refused({rna_, rna_}), "both called 'rna'");
  expect_contains(refused({rna_, clinical_}, MissingView::error, "yy"), "--target 'yy': no table has such a column");
  std::string text = refused({"one=" + clinical_, "two=" + clinical_});
  expect_contains(text, "--target one:y");
  expect_contains(text, "--drop two:y");
  TableOptions how = options("one:y");
  how.drop = {"two:y", "one:age"};
  const auto files = parse_sources({"one=" + clinical_, "two=" + clinical_, rna_});
  const Table table = read_tables(files, how, MissingView::error);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"two:age", "rna:x", "rna:z"}));
  how.drop = {"two:y", "age"};
  expect_contains(refusal([&] { read_tables(files, how, MissingView::error); }), "no column is left beside 'id'");
  how.drop = {"agee"};
  expect_contains(refusal([&] { read_tables(parse_sources({rna_, clinical_}), how, MissingView::error); }), "'one:y'");
  expect_contains(refusal([] { parse_sources({"=a.csv"}); }), "NAME=FILE");
}

TEST_F(JoinTables, AModelFindsItsSources) {
  const Table trained = read({rna_, atac_, clinical_});
  Preparation preparation;
  preparation.columns = trained.columns;
  preparation.categories = trained.categories;
  preparation.id_name = "id";
  preparation.views = trained.views;
  const Preparation used = preparation.only(std::vector<Index>{2, 0});
  const std::string new_rna = file("new.csv", "z,x,id\n1,5,n2\n2,6,n1\n");
  const std::string new_atac = file("new_atac.csv", "x,id\n4,n1\n");
  const auto files = parse_sources({"rna=" + new_rna, "atac=" + new_atac});
  const Table table = used.read(files, {}, MissingView::zero, RowOrder::as_they_come);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"atac:x", "rna:x"}));
  EXPECT_EQ(table.ids, (std::vector<std::string>{"n2", "n1"})) << "those of the first table, as they come";
  EXPECT_EQ(table.values.col(1), Vector({{5.0, 6.0}}));
  EXPECT_EQ(table.values(1, 0), 4);
  EXPECT_FALSE(table.views.has(0, 0));
  const auto only_rna = parse_sources({"rna=" + new_rna});
  expect_contains(refusal([&] { used.read(only_rna, {}, MissingView::zero, RowOrder::as_they_come); }),
                  "source 'atac'");
  const Table without = used.read(only_rna, {}, MissingView::zero, RowOrder::as_they_come, true);
  EXPECT_FALSE(without.views.has(0, 0) || without.views.has(1, 0));
  const auto extra = parse_sources({"rna=" + new_rna, "atac=" + new_atac, clinical_ + ".x"});
  expect_contains(refusal([&] { used.read(extra, {}, MissingView::zero, RowOrder::as_they_come); }), "no source");
}

}  // namespace
}  // namespace spicymkl::test
