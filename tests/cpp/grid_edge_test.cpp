#include "selection/grid_edge.hpp"

#include <gtest/gtest.h>

namespace spicymkl {

namespace {

CrossValidation tried(const std::vector<double>& alphas, std::size_t best) {
  CrossValidation result;
  for (const double alpha : alphas) {
    result.points.emplace_back();
    result.points.back().alpha = alpha;
  }
  result.best = best;
  return result;
}

}  // namespace

TEST(GridEdge, TellsEndsOfTheGridFromItsMiddle) {
  EXPECT_EQ(edge_of(tried({1, 0.1, 0.01}, 0)), GridEdge::largest);
  EXPECT_EQ(edge_of(tried({1, 0.1, 0.01}, 1)), GridEdge::none);
  EXPECT_EQ(edge_of(tried({1, 0.1, 0.01}, 2)), GridEdge::smallest);
}

TEST(GridEdge, OneAlphaHasNoEdgeAndShapesShareTheGrid) {
  EXPECT_EQ(edge_of(tried({0.1}, 0)), GridEdge::none);
  EXPECT_EQ(edge_of(tried({0.1, 0.1}, 1)), GridEdge::none);  // two shapes of the penalty
  EXPECT_EQ(edge_of(tried({1, 0.1, 0.01, 1, 0.1, 0.01}, 4)), GridEdge::none);
  EXPECT_EQ(edge_of(tried({1, 0.1, 0.01, 1, 0.1, 0.01}, 5)), GridEdge::smallest);
}

}  // namespace spicymkl
