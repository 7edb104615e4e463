#include "request.hpp"

#include <fmt/format.h>

namespace spicymkl {

Report begin_report(const TrainingRequest& request) {
  Report report;
  report.title = fmt::format("{} on {}", request.what, request.data);
  report.command = request.command;
  report.threads = request.threads;
  if (request.labels.empty()) report.asked = {{"Data", request.data}, {"Kernels", request.kernels}};
  else report.asked = {{"Kernels", request.kernels}, {"Labels", request.labels}};
  report.asked.push_back({"Solver", request.solver});
  if (!request.alpha.empty()) report.asked.push_back({"Alpha asked for", request.alpha});
  for (const std::string& remark : request.remarks) report.asked.push_back({"Kernel list", remark});
  return report;
}

Report begin_evaluation(const std::string& command, const std::string& model, const std::string& data) {
  Report report;
  report.title = (data.empty() ? "Model " : "Evaluation of ") + model;
  report.command = command;
  report.asked = {{"Model", model}};
  if (!data.empty()) report.asked.push_back({"Data", data});
  return report;
}

}  // namespace spicymkl
