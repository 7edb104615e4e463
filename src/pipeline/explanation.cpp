#include "explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/quantity_text.hpp"
#include "spicymkl/solver/registered_solver.hpp"

namespace spicymkl {

namespace {

constexpr double kWrapperShare = 0.8;  // of the time of a wrapper method; the rest is our own solver's, beforehand

Stages planned_stages(const Plan& plan, const ProblemOutline& problem, const Settings& settings) {
  Stages stages = expected_stages(plan, problem);
  if (settings.registered)
    stages.push_back({std::string(settings.registered->name()), kWrapperShare / (1 - kWrapperShare) * seconds(stages)});
  return stages;
}

std::string stage_line(const std::string& what, double seconds) {
  return fmt::format("  {:<40} about {}\n", what, duration_text(seconds));
}

}  // namespace

Explanation explain_training(BankPlan bank, const ProblemDescription& problem, const Settings& settings,
                             const Workload& work, double slowness) {
  Explanation whole;
  whole.estimate = estimate_training(bank, problem, settings, work);
  whole.estimate.seconds *= slowness;
  whole.kernel_seconds = slowness * bank.build_seconds;
  const ProblemOutline outline = outline_of(bank, problem, work.n_outputs);
  whole.plan = choose(outline, settings.solver);  // a wrapper method begins with the answer of our own solver
  whole.stages = planned_stages(whole.plan, outline, settings);
  const double unit = (whole.estimate.seconds - whole.kernel_seconds) / seconds(whole.stages);
  for (Stage& stage : whole.stages) stage.seconds *= unit;
  whole.bank = std::move(bank);
  whole.work = work;
  return whole;
}

std::string explanation_text(const Explanation& explanation) {
  std::string text = estimate_text(explanation.bank, explanation.estimate) + "\n";
  text += stage_line("computing the kernels", explanation.kernel_seconds);
  for (const Stage& stage : explanation.stages) text += stage_line(stages_text({stage}), stage.seconds);
  Stages others;
  for (std::size_t k = 1; k < explanation.plan.methods.size(); ++k)
    others.push_back({std::string(to_string(explanation.plan.methods[k]))});
  if (!others.empty()) text += fmt::format("  where that gets stuck: {}\n", stages_text(others));
  if (explanation.work.n_fits > 1)
    text += fmt::format("  the times are of all {} fits together\n", explanation.work.n_fits);
  return text;
}

}  // namespace spicymkl
