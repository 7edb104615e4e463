// When the scores of a path have clearly got worse: what follows is not worth learning.
#pragma once

namespace spicymkl {

/// Watches the scores on rows that were not learned from, from the strongest penalty down.
class Decline {
 public:
  explicit Decline(bool larger_is_better) : sign_(larger_is_better ? 1 : -1) {}

  /// The score of the next point.
  void add(double score);
  /// The last two points lie below the best one by more than a part of what there is to win or lose: of the first
  /// score, or of how much the best one gains on it.
  bool is_clear() const { return n_worse_ >= kPoints; }

 private:
  static constexpr int kPoints = 2;
  static constexpr double kClearly = 0.02;

  double sign_;
  bool any_ = false;
  double first_ = 0, best_ = 0;  // larger is better
  int n_worse_ = 0;              // points at the end that are clearly worse
};

}  // namespace spicymkl
