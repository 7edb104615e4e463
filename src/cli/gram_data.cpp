#include "gram_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "core/utf8.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/label_file.hpp"
#include "spicymkl/io/npy.hpp"
#include "spicymkl/pipeline/target.hpp"

namespace spicymkl::cli {

namespace {

Vector read_weights(const std::string& path) {
  const NpyArray array = read_npy(path);
  const bool column = array.shape.size() == 2 && array.shape[1] == 1;
  if (array.shape.size() != 1 && !column)
    throw InputError(fmt::format("'{}' has shape ({}), but sample weights must be one number per sample, shape (N,)",
                                 path, fmt::join(array.shape, ", ")));
  if (array.size() == 0) throw InputError(fmt::format("'{}' holds no sample weights", path));
  return Eigen::Map<const Vector>(array.data, array.size());
}

/// The N×N matrices of one file.
struct GramFile {
  std::string path;
  NpyArray array;
  Index n_samples() const { return array.shape.back(); }
  Index n_kernels() const { return array.shape.size() == 3 ? array.shape[0] : 1; }
  const double* gram(Index m) const { return array.data + m * n_samples() * n_samples(); }
};

GramFile read_gram_file(const std::string& path) {
  GramFile file{path, read_npy(path)};
  const auto& shape = file.array.shape;
  const bool square = shape.size() >= 2 && shape[shape.size() - 1] == shape[shape.size() - 2];
  if ((shape.size() != 2 && shape.size() != 3) || !square)
    throw InputError(
        fmt::format("'{}' has shape ({}), but Gram matrices must be M x N x N or N x N", path, fmt::join(shape, ", ")));
  if (file.array.size() == 0) throw InputError(fmt::format("'{}' holds no Gram matrix", path));
  if (!is_utf8(path))
    throw InputError(fmt::format("'{}': its name, which becomes that of a kernel, is not UTF-8 text; rename it", path));
  return file;
}

std::string kernel_name(const GramFile& file, Index m, bool only_file) {
  const std::string stem = std::filesystem::path(file.path).stem().string();
  if (file.array.shape.size() == 2) return stem;
  return only_file ? fmt::format("k{}", m) : fmt::format("{}[{}]", stem, m);
}

/// All matrices of the files, in order.
struct GramList {
  std::vector<GramFile> files;
  std::vector<const double*> grams;
  std::vector<std::string> names;
};

std::shared_ptr<GramList> read_gram_files(const std::vector<std::string>& paths) {
  auto list = std::make_shared<GramList>();
  for (const std::string& path : paths) {
    list->files.push_back(read_gram_file(path));
    const GramFile& file = list->files.back();
    const GramFile& first = list->files.front();
    if (file.n_samples() != first.n_samples())
      throw InputError(fmt::format("'{}' has {} samples, but '{}' has {}; all Gram matrices must have the same size",
                                   path, file.n_samples(), first.path, first.n_samples()));
    for (Index m = 0; m < file.n_kernels(); ++m) {
      list->grams.push_back(file.gram(m));
      list->names.push_back(kernel_name(file, m, paths.size() == 1));
    }
  }
  return list;
}

void check_length(const GramInput& input, const std::string& path, Index length, Index n) {
  if (length != n)
    throw InputError(fmt::format("'{}' holds {} {}, but the kernels of '{}' have {} rows{}", path, length,
                                 input.events.empty() ? "labels" : "values", input.grams.front(), n,
                                 length == n + 1 ? "; labels have no header" : ""));
}

/// The labels, targets, or times with their events, of `n` samples.
void read_labels_into(GramData& data, const GramInput& input, Index n) {
  if (auto several = read_several_targets(input.labels)) data.targets = std::move(*several);
  else data.labels = read_labels(input.labels);
  check_length(input, input.labels, data.targets.cols() > 0 ? data.targets.rows() : std::ssize(data.labels), n);
  if (input.events.empty()) return;
  data.events = read_labels(input.events);
  check_length(input, input.events, std::ssize(data.events), n);
}

}  // namespace

Covariates read_covariates(const std::string& path, Index n_rows) {
  const NpyArray array = read_npy(path);
  const Index count = array.shape.size() == 1 ? 1 : array.shape.back();
  if (array.shape.empty() || array.shape.size() > 2 || array.shape[0] != n_rows || count == 0)
    throw InputError(
        fmt::format("'{}' has shape ({}), but covariates beside the kernels of {} rows must be {} x c, a column each",
                    path, fmt::join(array.shape, ", "), n_rows, n_rows));
  Covariates covariates;
  for (Index j = 0; j < count; ++j) covariates.names.push_back(fmt::format("c{}", j));
  using ByRow = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  covariates.values = Eigen::Map<const ByRow>(array.data, n_rows, count);
  return covariates;
}

GramData read_gram_data(const GramInput& input, int threads, Watch watch) {
  GramData data;
  data.psd = parse_psd_method(input.psd);
  const auto list = read_gram_files(input.grams);
  const Index n = list->files.front().n_samples();
  read_labels_into(data, input, n);
  if (!input.weights.empty()) data.weights = read_weights(input.weights);
  if (!input.covariates.empty()) data.covariates = read_covariates(input.covariates, n);
  data.bank = std::make_shared<DenseBank>(list->grams, n, list->names, threads, list);
  if (data.psd == PsdMethod::refuse) data.tolerated = check_gram_matrices(*data.bank);
  else check_entries(*data.bank);
  data.bank = std::make_shared<DenseBank>(list->grams, n, list->names, threads, list, std::move(watch));
  return data;
}

Table labels_of(const GramData& data, const GramInput& input) {
  if (data.targets.cols() > 0) return targets_as_table(data.targets, input.labels);
  if (data.events.empty()) return labels_as_table(data.labels, input.labels);
  Table table = labels_as_table(data.labels, fmt::format("{}, {}", input.labels, input.events));
  table.target_name = "time";
  table.event_name = "event";
  table.events = data.events;
  return table;
}

Table read_labels_of(const GramInput& input, Index n_rows) {
  GramData data;
  read_labels_into(data, input, n_rows);
  return labels_of(data, input);
}

}  // namespace spicymkl::cli
