#include "ranks.hpp"

namespace spicymkl::cli {

namespace {

std::shared_ptr<Team>& present_team() {
  static std::shared_ptr<Team> team;
  return team;
}

}  // namespace

void work_with(std::shared_ptr<Team> team) { present_team() = std::move(team); }

int n_ranks() { return present_team() ? present_team()->size() : 1; }

std::shared_ptr<const BankMaker> bank_maker() { return present_team() ? spread_over(present_team()) : nullptr; }

void compare_over_ranks(const std::vector<std::string>& inputs) {
  if (n_ranks() > 1) present_team()->compare_files(inputs);
}

}  // namespace spicymkl::cli
