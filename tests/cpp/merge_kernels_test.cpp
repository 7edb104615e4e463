// Kernels that are the same become one, in presets and in lists.
#include "kernel/merge_kernels.hpp"

#include <gtest/gtest.h>

#include "spicymkl/kernel/kernel_list.hpp"

namespace spicymkl {
namespace {

Samples table() {
  Samples samples{{"a", "b", "colour"}, Matrix(6, 3), {false, false, true}};
  for (Index i = 0; i < 6; ++i)
    samples.values.row(i) << static_cast<double>(i), 0.1 * static_cast<double>(i * i), i % 3;
  return samples;
}

std::vector<std::string> names(const KernelList& list) {
  std::vector<std::string> all;
  for (const KernelSpec& kernel : list.kernels) all.push_back(kernel.name);
  return all;
}

TEST(MergeKernels, AutoWithOneCategoricalColumn) {
  const KernelList list = make_kernel_list("auto", table(), {});
  int overlaps = 0;
  for (const KernelSpec& kernel : list.kernels) overlaps += kernel.type == "overlap";
  EXPECT_EQ(overlaps, 1);
  ASSERT_EQ(list.remarks.size(), 1u);
  EXPECT_EQ(list.remarks.front(), "2 kernels are the same and were merged: 'overlap on colour', 'overlap on all'");
}

TEST(MergeKernels, ListsOfTheUser) {
  const char* json = R"([{"type": "gaussian", "width": [1, 2, 1], "columns": ["a", "b"]},
                         {"type": "gaussian", "width": 2, "columns": ["b", "a"], "name": "mine", "group": "g"},
                         {"type": "gaussian", "width": 2, "columns": ["b", "a"], "normalize": "diagonal"},
                         {"type": "gaussian", "width": 2, "columns": ["b", "a"], "jitter": 0.1},
                         {"type": "laplacian", "width": 2, "columns": ["b", "a"]}])";
  const KernelList list = make_kernel_list(json, table(), {});
  EXPECT_EQ(names(list), (std::vector<std::string>{"gaussian(width=1) on a+b", "gaussian(width=2) on a+b",
                                                   "gaussian(width=2) on b+a", "gaussian(width=2) on b+a #2",
                                                   "laplacian(width=2) on b+a"}));
  EXPECT_EQ(list.kernels[1].group, "g") << "the group of the one that was merged into it";
  ASSERT_EQ(list.remarks.size(), 1u);
  EXPECT_NE(list.remarks.front().find("2 kernels are the same as others"), std::string::npos) << list.remarks.front();
}

TEST(MergeKernels, NothingIsSaidWhereAllDiffer) {
  const KernelList list = make_kernel_list(R"([{"type": "linear", "columns": {"each": ["a", "b"]}}])", table(), {});
  EXPECT_EQ(list.kernels.size(), 2u);
  EXPECT_TRUE(list.remarks.empty());
  EXPECT_EQ(merged_text({}), "");
}

TEST(MergeKernels, PaperOnOneColumn) {
  Samples one{{"a"}, Matrix(6, 1), {}};
  for (Index i = 0; i < 6; ++i) one.values(i, 0) = static_cast<double>(i);
  EXPECT_EQ(make_kernel_list("paper", one, {}).kernels.size(), 27u) << "on each column is on all of them";
}

}  // namespace
}  // namespace spicymkl
