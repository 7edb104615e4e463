#include "training_request.hpp"

#include <fmt/format.h>

namespace spicymkl {

Report begin_report(const TrainingRequest& request) {
  Report report;
  report.title = fmt::format("{} on {}", request.what, request.data);
  report.command = request.command;
  if (request.labels.empty()) report.asked = {{"Data", request.data}, {"Kernels", request.kernels}};
  else report.asked = {{"Kernels", request.kernels}, {"Labels", request.labels}};
  report.asked.push_back({"Solver", request.solver});
  if (!request.alpha.empty()) report.asked.push_back({"Alpha asked for", request.alpha});
  for (const std::string& remark : request.remarks) report.asked.push_back({"Kernel list", remark});
  return report;
}

}  // namespace spicymkl
