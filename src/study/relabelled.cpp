#include "relabelled.hpp"

namespace spicymkl {

namespace {

class RelabelledRows final : public LearningRows {
 public:
  RelabelledRows(std::unique_ptr<LearningRows> rows, Target target) : rows_(std::move(rows)), input_(rows_->input()) {
    target.covariates = input_.target.covariates;  // of the rows, whatever their labels
    input_.target = std::move(target);
  }

  const TrainingInput& input() const override { return input_; }
  Scores scores(const std::vector<Fit>& fits, std::span<const Index> rows) const override {
    return rows_->scores(fits, rows);
  }

 private:
  std::unique_ptr<LearningRows> rows_;
  TrainingInput input_;
};

class Relabelled final : public Dataset {
 public:
  Relabelled(const Dataset& data, Target target) : data_(data), target_(std::move(target)) {}

  const Target& target() const override { return target_; }
  std::unique_ptr<LearningRows> learn_from(std::vector<Index> rows, const Share& share,
                                           const std::string& kernels) const override {
    Target target = target_.rows(rows);
    return std::make_unique<RelabelledRows>(data_.learn_from(std::move(rows), share, kernels), std::move(target));
  }
  Model outline(const Share& share) const override { return data_.outline(share); }
  double kernel_bytes(Index n_rows) const override { return data_.kernel_bytes(n_rows); }

 private:
  const Dataset& data_;
  Target target_;
};

}  // namespace

std::unique_ptr<Dataset> make_relabelled(const Dataset& data, Target target) {
  return std::make_unique<Relabelled>(data, std::move(target));
}

}  // namespace spicymkl
