#include "spicymkl/loss/loss.hpp"

#include "core/named_table.hpp"
#include "types.hpp"

namespace spicymkl {

Interval Loss::smooth_domain(double) const { return {}; }

DualTerm Loss::constraint(int, double, double, double) const { return {}; }

const std::vector<LossType>& loss_types() {
#define LOSS(name) name##_loss(),
  static const std::vector<LossType> types = {
#include "losses.def"
  };
#undef LOSS
  return types;
}

const LossType& loss_type(std::string_view name) { return get_named(loss_types(), name, "loss"); }

const LossType& default_loss(LabelKind labels) { return *std::ranges::find(loss_types(), labels, &LossType::labels); }

std::unique_ptr<Loss> make_loss(std::string_view name, const LossParameters& parameters) {
  return loss_type(name).make(parameters);
}

}  // namespace spicymkl
