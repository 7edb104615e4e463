#include "spicymkl/solver/registered_solver.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/named_table.hpp"

namespace spicymkl {

namespace {

constexpr std::pair<std::string_view, SolverKind> kOwnSolvers[] = {
    {"auto", SolverKind::automatic}, {"spicy", SolverKind::spicy}, {"onestep", SolverKind::onestep}};

std::vector<std::shared_ptr<const RegisteredSolver>>& registry() {
  static std::vector<std::shared_ptr<const RegisteredSolver>> solvers;
  return solvers;
}

}  // namespace

void register_solver(std::shared_ptr<const RegisteredSolver> solver) {
  const auto names = solver_names();
  if (std::ranges::count(names, solver->name()) > 0)
    throw std::logic_error("there is a solver of the name " + std::string(solver->name()));
  registry().push_back(std::move(solver));
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kOwnSolvers) names.emplace_back(name);
  for (const auto& solver : registry()) names.emplace_back(solver->name());
  return names;
}

void choose_solver(std::string_view name, Settings& settings) {
  settings.registered = nullptr;
  settings.solver = SolverKind::automatic;
  for (const auto& [known, kind] : kOwnSolvers)
    if (name == known) return void(settings.solver = kind);
  for (const auto& solver : registry())
    if (name == solver->name()) return void(settings.registered = solver);
  refuse_name("solver", name, solver_names());
}

}  // namespace spicymkl
