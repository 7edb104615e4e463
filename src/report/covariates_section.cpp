// What entered without a penalty.
#include <fmt/format.h>

#include "html.hpp"
#include "sections.hpp"
#include "spicymkl/model/outputs.hpp"

namespace spicymkl {

std::string covariates_section(const Report& report) {
  if (!report.model || report.model->covariates.count() == 0) return "";
  const Model& model = *report.model;
  std::vector<std::string> head = {"covariate"};
  const std::vector<Output> outputs = outputs_of(model.fits);
  for (Index c = 0; c < std::ssize(outputs); ++c)
    head.push_back(outputs.size() > 1 ? model.fits_are_of() + " " + output_name(model, c) : "coefficient");
  std::vector<std::vector<std::string>> rows;
  for (Index j = 0; j < model.covariates.count(); ++j) {
    rows.push_back({model.covariates.names[j]});
    for (const Output& output : outputs)
      rows.back().push_back(number_text(model.fits[output.fit].covariate_coef()(j, output.output)));
  }
  std::string text =
      "These columns enter the score linearly and without a penalty, and are in no kernel. A coefficient is what one "
      "unit of its column adds to the score.";
  if (model.table)
    for (const std::string& reference : reference_levels(model.table->preparation))
      text += fmt::format(" The reference is {}.", reference);
  return section("Covariates", paragraph(text) + plain_table(head, rows, 1));
}

}  // namespace spicymkl
