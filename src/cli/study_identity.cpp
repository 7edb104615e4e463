#include "study_identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "io/gzip.hpp"
#include "io/mapped_file.hpp"
#include "option_values.hpp"

namespace spicymkl::cli {

namespace {

/// A checksum of many pieces.
class Digest {
 public:
  void add(std::string_view bytes) {
    value_ = checksum_of_both(value_, checksum(bytes), bytes.size());
    // Lengths tell "ab", "c" from "a", "bc".
    const auto size = static_cast<std::uint64_t>(bytes.size());
    const std::string_view length(reinterpret_cast<const char*>(&size), sizeof size);
    value_ = checksum_of_both(value_, checksum(length), length.size());
  }
  void add(const double* values, Index count) {
    add(std::string_view(reinterpret_cast<const char*>(values), sizeof(double) * static_cast<std::size_t>(count)));
  }
  void add(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) add(text);
  }
  std::string text() const { return fmt::format("{:08x}", value_); }

 private:
  std::uint32_t value_ = checksum("");
};

std::string table_text(const Table& table) {
  Digest digest;
  digest.add(table.columns);
  digest.add(table.values.data(), table.values.size());
  for (const auto& categories : table.categories) digest.add(categories);
  digest.add(table.target);
  digest.add(table.events);
  digest.add(table.weights.data(), table.weights.size());
  digest.add(table.views.names);
  digest.add(table.views.present.data(), table.views.present.size());
  return fmt::format("{} rows, {} columns, checksum {}", table.rows(), table.values.cols(), digest.text());
}

std::string gram_text(const GramData& data) {
  Digest digest;
  const Index n = data.bank->n_samples();
  for (Index m = 0; m < data.bank->n_kernels(); ++m) {
    digest.add(data.bank->name(m));
    digest.add(data.bank->gram(m).data(), n * n);
  }
  digest.add(data.labels);
  digest.add(data.events);
  digest.add(data.weights.data(), data.weights.size());
  return fmt::format("{} rows, {} matrices, checksum {}", n, data.bank->n_kernels(), digest.text());
}

std::string groups_text(const RowGroups& groups) {
  if (groups.empty()) return "";
  Digest digest;
  digest.add(std::string_view(reinterpret_cast<const char*>(groups.codes.data()), sizeof(Index) * groups.codes.size()));
  return fmt::format("{} groups, checksum {}", groups.count, digest.text());
}

/// Columns by their names; beside Gram matrices, their values.
std::string covariates_text(const LearningOptions& learning, const LearningSource& source) {
  Digest digest;
  const Matrix& values = source.target.covariates.values;
  digest.add(values.data(), values.size());
  const std::vector<std::string>& names = learning.table.covariates;
  if (names.empty()) return "";
  return source.table ? fmt::format("{}", fmt::join(names, ",")) : fmt::format("checksum {}", digest.text());
}

/// A preset or a JSON text as it is; of a file, its content.
std::string kernels_text(const std::string& given) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(given, error)) return given;
  const MappedFile file = map_file(given);
  return fmt::format("{} bytes, checksum {:08x}", file.bytes.size(), checksum(file.bytes));
}

}  // namespace

std::string target_text(const TableInput& table) {
  return table.survival() ? fmt::format("{} until {}", table.time, table.event)
                          : fmt::format("{}", fmt::join(table.target, ","));
}

RunIdentity study_identity(const StudyRequest& request) {
  const LearningOptions& learning = request.learning;
  RunIdentity identity;
  add_values(problem_option_table(), learning.problem, {"alpha", "threads", "max_seconds", "multi_class"}, identity);
  add_values(kernel_option_table(), learning.kernels, {"kernels", "groups"}, identity);
  add_values(cv_option_table(), request.choices, {"folds"}, identity);
  add_values(study_option_table(), request.study, {}, identity);
  identity["kernels"] = kernels_text(learning.kernels.kernels);
  identity["groups"] = kernels_text(learning.kernels.groups);
  identity["psd"] = learning.grams.psd;
  identity["target"] = target_text(learning.table);
  const Target& target = request.source.target;  // what it comes to, as "auto" may mean another way in another version
  if (target.classes.size() > 2) identity["multi_class"] = name_of(target.multi_class);
  identity["covariates"] = covariates_text(learning, request.source);
  identity["the data"] = request.source.table ? table_text(*request.source.table) : gram_text(*request.source.grams);
  identity["the groups of the rows"] = groups_text(request.groups);
  return identity;
}

}  // namespace spicymkl::cli
