// The training data in a few tables.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/row_sums.hpp"
#include "html.hpp"
#include "id_like.hpp"
#include "io/labels.hpp"
#include "sections.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr std::size_t kMostShown = 200;  // of a table that is to be read by people

ColumnSummary of_numbers(std::string name, ConstVectorRef values) {
  ColumnSummary summary;
  summary.name = std::move(name);
  if (values.size() > 0 && (values.array() == values.array()).count() == values.size()) {  // the common case, at once
    summary.smallest = values.minCoeff();
    summary.largest = values.maxCoeff();
    summary.mean = values.mean();
    return summary;
  }
  summary.smallest = HUGE_VAL;
  summary.largest = -HUGE_VAL;
  double sum = 0;
  for (const double value : values) {
    if (std::isnan(value)) {
      ++summary.n_missing;
      continue;
    }
    summary.smallest = std::min(summary.smallest, value);
    summary.largest = std::max(summary.largest, value);
    sum += value;
  }
  summary.mean = sum / static_cast<double>(values.size() - summary.n_missing);
  return summary;
}

ColumnSummary of_column(const Table& table, Index j) {
  const std::array column = {j};
  const bool whole = table.views.presence(column).size() == 0;
  ColumnSummary summary =
      whole ? of_numbers(table.columns[j], table.values.col(j))
            : of_numbers(table.columns[j], table.values.col(j)(table.views.present_rows(column, table.rows())));
  summary.n_categories = std::ssize(table.categories[j]);
  return summary;
}

ColumnSummary of_target(std::string name, ConstVectorRef values) {
  ColumnSummary summary = of_numbers(std::move(name), values);
  summary.deviation = std::sqrt((values.array() - summary.mean).square().mean());
  return summary;
}

std::vector<std::string> column_row(const ColumnSummary& column) {
  if (column.n_categories > 0)
    return {column.name, fmt::format("{} categories", column.n_categories),
            "",          "",
            "",          fmt::format("{}", column.n_missing)};
  return {column.name,
          "numbers",
          number_text(column.smallest),
          number_text(column.mean),
          number_text(column.largest),
          fmt::format("{}", column.n_missing)};
}

std::string columns_table(const DataSummary& data) {
  if (data.columns.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t j = 0; j < std::min(kMostShown, data.columns.size()); ++j)
    rows.push_back(column_row(data.columns[j]));
  const std::string table = plain_table({"column", "holds", "smallest", "mean", "largest", "missing"}, rows, 2);
  return details(rows.size() == data.columns.size()
                     ? fmt::format("All {} columns", rows.size())
                     : fmt::format("The first {} of {} columns", rows.size(), data.columns.size()),
                 table);
}

std::string targets_table(const DataSummary& data) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < std::min(kMostShown, data.targets.size()); ++k) {
    const ColumnSummary& one = data.targets[k];
    rows.push_back({one.name, number_text(one.smallest), number_text(one.mean), number_text(one.largest)});
  }
  const std::string table = plain_table({"target", "smallest", "mean", "largest"}, rows, 1);
  constexpr std::size_t kFew = 12;
  if (data.targets.size() <= kFew) return table;
  return details(rows.size() == data.targets.size()
                     ? fmt::format("All {} targets", rows.size())
                     : fmt::format("The first {} of {} targets", rows.size(), data.targets.size()),
                 table);
}

std::string target_table(const DataSummary& data) {
  if (!data.event_name.empty())
    return paragraph(fmt::format(
        "The times '{}' run from {} to {}; {} of {} samples ({}) had the event, the others were "
        "lost before.",
        data.target_name, number_text(data.target.smallest), number_text(data.target.largest), data.n_events,
        data.n_rows, percent_text(static_cast<double>(data.n_events) / static_cast<double>(data.n_rows))));
  if (!data.targets.empty()) return targets_table(data);
  if (data.classes.empty())
    return paragraph(fmt::format("The target '{}' runs from {} to {}, mean {}.", data.target_name,
                                 number_text(data.target.smallest), number_text(data.target.largest),
                                 number_text(data.target.mean)));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t c = 0; c < data.classes.size(); ++c)
    rows.push_back({data.classes[c], fmt::format("{}", data.class_rows[c]),
                    percent_text(static_cast<double>(data.class_rows[c]) / static_cast<double>(data.n_rows))});
  return plain_table({fmt::format("class of '{}'", data.target_name), "rows", "share"}, rows, 1);
}

std::string sizes_text(const DataSummary& data) {
  if (data.columns.empty()) return fmt::format("{}: {} samples with precomputed kernels.", data.source, data.n_rows);
  const Index categorical = data.n_categorical(), missing = data.n_missing();
  return fmt::format("{}: {} rows and {} columns beside the target{}{}; {}.", data.source, data.n_rows,
                     data.columns.size(), data.targets.empty() ? "" : "s",
                     categorical > 0 ? fmt::format(", {} of them categorical", categorical) : "",
                     missing > 0 ? fmt::format("{} cells are missing", missing) : "no cell is missing");
}

std::string assumed_part(const DataSummary& data) {
  std::string html = paragraph("Assumed: " + assumption_text(data) + ".");
  if (const std::string views = views_text(data); !views.empty()) html += paragraph(views + ".");
  for (const std::string& remark : identity_remarks(data)) html += paragraph(remark + ".");
  if (data.missing_sources.empty())
    for (const std::string& warning : data_warnings(data)) html += paragraph("Warning: " + warning + ".");
  return html;
}

std::string missing_part(const DataSummary& data) {
  if (data.missing_sources.empty()) return "";
  std::vector<std::string> head = {"source", "columns", "imputed cells", "share"};
  for (const std::string& name : data.classes) head.push_back("class " + name);
  if (data.classes.empty())
    head.push_back(data.targets.empty() ? "correlation with the target" : "largest correlation with a target");
  head.push_back("p");
  std::vector<std::vector<std::string>> rows;
  for (const SourceMissing& source : data.missing_sources) {
    if (rows.size() == kMostShown) break;
    std::vector<std::string> row = {source.name, fmt::format("{}", source.n_columns),
                                    fmt::format("{}", source.n_missing), percent_text(source.share)};
    for (const double share : source.class_share) row.push_back(percent_text(share));
    if (data.classes.empty()) row.push_back(fmt::format("{:.2f}", source.correlation));
    row.push_back(fmt::format("{:.2g}", source.p_value));
    rows.push_back(std::move(row));
  }
  std::string html = "<h3>Missing cells by source</h3>\n" +
                     paragraph(fmt::format(
                         "Missing cells were filled in by the {} of the training rows. A small p says that a source is "
                         "missing more often for some rows than for others in a way that goes with the target.",
                         data.impute)) +
                     plain_table(head, rows, 1);
  for (const std::string& warning : data_warnings(data)) html += paragraph("Warning: " + warning + ".");
  return html;
}

}  // namespace

Index DataSummary::n_missing() const {
  Index sum = 0;
  for (const ColumnSummary& column : columns) sum += column.n_missing;
  return sum;
}

Index DataSummary::n_categorical() const {
  Index count = 0;
  for (const ColumnSummary& column : columns) count += column.n_categories > 0;
  return count;
}

DataSummary summarize(const Table& table, const Target& target, const std::vector<ColumnGroup>& groups, int threads) {
  DataSummary data;
  data.source = table.path;
  data.n_rows = table.rows();
  data.target_name = table.target_name;
  data.columns.resize(static_cast<std::size_t>(table.values.cols()));
  const double cost = kFromMemory * static_cast<double>(table.rows());
  parallel_for(table.values.cols(), threads, cost, [&](Index begin, Index end) {
    for (Index j = begin; j < end; ++j) data.columns[j] = of_column(table, j);
  });
  summarize_target(target, data);
  data.dropped = table.dropped;
  data.row_index = table.row_index;
  data.id_name = table.id_name;
  data.weight_name = table.weight_name;
  data.id_like = id_like_columns(table);
  data.could_be_numbers = !table.target.empty() && target_values(table).numbers;
  if (data.n_missing() > 0) data.missing_sources = missing_by_source(table, target, groups);
  for (const ColumnGroup& source : groups_of_sources(table.views)) data.sources.push_back(source.name);
  if (target.n_rows() > 0) data.missing_views = missing_views(table.views, target);
  return data;
}

void summarize_target(const Target& target, DataSummary& data) {
  data.joint_classes = target.joint() && !target.has_several();
  data.multi_class_was_asked = target.multi_class_was_asked;
  data.loss = target.loss;
  data.joint_targets = target.joint() && target.has_several();
  data.targets.clear();
  for (std::size_t k = 0; k < target.names.size(); ++k)
    data.targets.push_back(of_target(target.names[k], target.several.col(static_cast<Index>(k))));
  data.classes = target.classes;
  data.class_rows.assign(target.classes.size(), 0);
  for (const Index code : target.codes) ++data.class_rows[code];
  if (target.classes.empty() && !target.has_several()) data.target = of_numbers(data.target_name, target.numbers);
  if (!target.survival()) return;
  data.event_name = target.event_name;
  data.event_code = target.event_code;
  data.n_events = static_cast<Index>(target.events.sum());
}

std::string data_section(const Report& report) {
  if (!report.data) return "";
  const DataSummary& data = *report.data;
  return section("Data", paragraph(sizes_text(data)) + target_table(data) + assumed_part(data) + missing_part(data) +
                             columns_table(data));
}

}  // namespace spicymkl
