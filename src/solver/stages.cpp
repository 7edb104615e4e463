#include "spicymkl/solver/stages.hpp"

#include <algorithm>
#include <map>

namespace spicymkl {

namespace {

const std::string& in_words(const std::string& name) {
  static const std::map<std::string, std::string> words = {{kPartOfSamples, "a start from part of the samples"},
                                                           {kPartOfKernels, "a start from part of the kernels"},
                                                           {kSmoothing, "a smooth loss beside it"},
                                                           {kWorkingSet, "a working set of kernels"},
                                                           {"spicy", "the proximal loop"},
                                                           {"onestep", "one-step Newton"},
                                                           {"weights", "Newton's method on the kernel weights"},
                                                           {"kkt", "Newton's method on the optimality conditions"},
                                                           {kExactKernels, "a proof on the exact kernels"},
                                                           {kEarlierRun, "an earlier run"}};
  const auto found = words.find(name);
  return found == words.end() ? name : found->second;
}

}  // namespace

void add(const Stage& stage, Stages& stages) {
  const auto known = std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.name == stage.name; });
  if (known == stages.end()) {
    stages.push_back(stage);
    return;
  }
  known->seconds += stage.seconds;
  known->iterations += stage.iterations;
  known->newton_steps += stage.newton_steps;
}

void add(const Stages& more, Stages& stages) {
  for (const Stage& stage : more) add(stage, stages);
}

double seconds(const Stages& stages) {
  double sum = 0;
  for (const Stage& stage : stages) sum += stage.seconds;
  return sum;
}

std::string stages_text(const Stages& stages) {
  std::string text;
  for (const Stage& stage : stages) text += (text.empty() ? "" : ", ") + in_words(stage.name);
  return text;
}

}  // namespace spicymkl
