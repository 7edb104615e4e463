// The parts of the page, in its order. Each is empty when the report has nothing for it.
#pragma once

#include "charts.hpp"
#include "spicymkl/model/contributions.hpp"
#include "spicymkl/report/report.hpp"

namespace spicymkl {

std::string overview(const Report& report);
std::string scores_section(const Report& report, Charts& charts);
/// Of a model of survival times that is tested on no other rows.
std::string survival_section(const Report& report, Charts& charts);
std::string cv_section(const Report& report, Charts& charts);
std::string path_section(const Report& report, Charts& charts);
std::string weights_section(const Report& report, const TrainingContributions& contributions, Charts& charts);
std::string covariates_section(const Report& report);
std::string effects_section(const Report& report, const TrainingContributions& contributions, Charts& charts);
std::string data_section(const Report& report);
std::string certificate_section(const Report& report);
std::string convergence_section(const Report& report, Charts& charts);
std::string asked_section(const Report& report);

}  // namespace spicymkl
