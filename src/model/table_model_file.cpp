#include "table_model_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "kernel/kernel_json.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongerThanFirst = 16;  // letters by which the text of a kernel may exceed that of the first

void require(bool condition, const char* what) {
  if (!condition) throw InputError(what);
}

Tensor index_tensor(const std::vector<Index>& indices) {
  Tensor tensor{{std::ssize(indices)}, {}};
  for (const Index i : indices) tensor.values.push_back(static_cast<double>(i));
  return tensor;
}

/// Whole numbers in [0, limit).
std::vector<Index> indices_of(const Tensor& tensor, Index limit) {
  std::vector<Index> indices;
  for (const double value : tensor.values) {
    require(value >= 0 && value < static_cast<double>(limit) && value == std::floor(value), "an index is out of range");
    indices.push_back(static_cast<Index>(value));
  }
  return indices;
}

void preparation_to_file(const Preparation& preparation, Json& json, TensorFile& file) {
  json["columns"] = preparation.columns;
  if (!preparation.id_name.empty()) json["id"] = preparation.id_name;
  json["categories"] = preparation.categories;
  if (const Views& views = preparation.views; views.several())
    json["sources"] = {
        {"names", views.names}, {"of_column", views.of_column}, {"missing_view", std::string(name_of(views.missing))}};
  if (!preparation.covariates.empty()) json["covariates"] = Json::array();
  for (const CovariateTerm& term : preparation.covariates) {
    Json& covariate = json["covariates"].emplace_back(Json{{"name", term.name}, {"column", term.column}});
    if (term.category >= 0) covariate["category"] = term.category;
  }
  json["impute"] = nullptr;
  if (preparation.imputer) {
    json["impute"] = name_of(preparation.imputer->method);
    file.tensors["impute_fill"] = Tensor::of(preparation.imputer->fill);
  }
  json["standardize"] = preparation.standardizer.has_value();
  if (!preparation.standardizer) return;
  file.tensors["standardize_mean"] = Tensor::of(preparation.standardizer->mean);
  file.tensors["standardize_scale"] = Tensor::of(preparation.standardizer->scale);
}

Views views_from_json(const Json& json, const std::vector<std::string>& columns) {
  Views views;
  views.names = json.at("names").get<std::vector<std::string>>();
  views.of_column = whole_values(json.at("of_column"));
  views.missing = parse_missing_view(json.at("missing_view").get<std::string>());
  require(views.of_column.size() == columns.size(), "columns and their sources differ in number");
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Index source = views.of_column[j];
    require(source >= 0 && source < std::ssize(views.names), "a column is of a source that is not there");
    require(columns[j].starts_with(column_of_source(views.names[source], "")),
            "a column is not named after its source");
  }
  return views;
}

std::vector<CovariateTerm> covariates_from_json(const Json& list, const Preparation& preparation) {
  std::vector<CovariateTerm> terms;
  for (const Json& json : list) {
    CovariateTerm term{json.at("name").get<std::string>(), whole_value(json.at("column"))};
    require(term.column >= 0 && term.column < preparation.n_columns(), "a covariate is not among the columns");
    if (json.contains("category")) term.category = whole_value(json["category"]);
    require(term.category < std::max<Index>(0, std::ssize(preparation.categories[term.column])),
            "a covariate is of a category that is not there");
    terms.push_back(std::move(term));
  }
  return terms;
}

Preparation preparation_from_file(const Json& json, const TensorFile& file) {
  Preparation preparation;
  preparation.columns = json.at("columns").get<std::vector<std::string>>();
  preparation.categories = json.at("categories").get<std::vector<std::vector<std::string>>>();
  preparation.id_name = json.value("id", "");
  require(!preparation.columns.empty(), "it has no columns");
  require(preparation.categories.size() == preparation.columns.size(), "columns and categories differ in number");
  const Index n = preparation.n_columns();
  if (json.contains("sources")) preparation.views = views_from_json(json["sources"], preparation.columns);
  if (json.contains("covariates")) preparation.covariates = covariates_from_json(json["covariates"], preparation);
  if (!json.at("impute").is_null()) {
    const ImputeMethod method = parse_impute_method(json.at("impute").get<std::string>());
    preparation.imputer = Imputer{method, file.tensors.at("impute_fill").vector()};
    require(preparation.imputer->fill.size() == n, "the imputation differs in its number of columns");
  }
  if (json.at("standardize").get<bool>()) {
    preparation.standardizer =
        Standardizer{file.tensors.at("standardize_mean").vector(), file.tensors.at("standardize_scale").vector()};
    require(preparation.standardizer->mean.size() == n && preparation.standardizer->scale.size() == n,
            "the standardisation differs in its number of columns");
    require((preparation.standardizer->scale.array() > 0).all(), "a column is divided by a scale that is not above 0");
  }
  return preparation;
}

/// Thousands of kernels use few different sets of columns: each set is stored once, one after the other.
class ColumnSets {
 public:
  std::size_t add(const std::vector<Index>& columns) {
    const auto [place, is_new] = known_.try_emplace(columns, starts_.size() - 1);
    if (is_new) {
      members_.insert(members_.end(), columns.begin(), columns.end());
      starts_.push_back(std::ssize(members_));
    }
    return place->second;
  }

  void write(TensorFile& file) const {
    file.tensors["column_sets"] = index_tensor(members_);
    file.tensors["column_set_starts"] = index_tensor(starts_);
  }

 private:
  std::map<std::vector<Index>, std::size_t> known_;
  std::vector<Index> members_, starts_{0};
};

std::vector<std::vector<Index>> read_column_sets(const TensorFile& file, Index n_columns) {
  const std::vector<Index> members = indices_of(file.tensors.at("column_sets"), n_columns);
  const auto n_members = std::ssize(members);
  const std::vector<Index> starts = indices_of(file.tensors.at("column_set_starts"), n_members + 1);
  require(!starts.empty() && std::is_sorted(starts.begin(), starts.end()), "the column sets are out of order");
  std::vector<std::vector<Index>> sets;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s)
    sets.emplace_back(members.begin() + starts[s], members.begin() + starts[s + 1]);
  return sets;
}

std::string spec_to_json(const KernelSpec& spec, std::size_t column_set) {
  Json json = {{"type", spec.type},        {"parameters", spec.parameters},
               {"column_set", column_set}, {"normalize", normalize_name(spec.normalize)},
               {"jitter", spec.jitter},    {"name", spec.name},
               {"group", spec.group}};
  if (spec.features.kind != FeatureKind::none) json["features"] = features_to_json(spec.features);
  return json.dump();
}

/// The list is text that grows in place: a million kernels as a tree of values would take gigabytes, and every copy of
/// the text some hundred megabytes.
void append_specs(const KernelSpecs& specs, TensorFile& file, std::string& text) {
  ColumnSets sets;
  text += '[';
  for (const auto& spec : specs) {
    const std::string entry = spec_to_json(*spec, sets.add(spec->columns));
    if (&spec == &specs.front()) text.reserve(text.size() + specs.size() * (entry.size() + kLongerThanFirst));
    else text += ',';
    text += entry;
  }
  text += ']';
  sets.write(file);
}

KernelSpecs specs_from_file(const Json& list, const TensorFile& file, Index n_columns) {
  const std::vector<std::vector<Index>> sets = read_column_sets(file, n_columns);
  // Every kernel has a copy of its set; few of those of a good model have more to themselves than this.
  std::size_t left = 100'000'000;
  for (const std::vector<Index>& set : sets) left += 100 * set.size();
  KernelSpecs specs;
  for (const Json& json : list) {
    KernelSpec spec;
    spec.name = json.at("name").get<std::string>();
    spec.type = json.at("type").get<std::string>();
    spec.parameters = json.at("parameters").get<KernelParameters>();
    spec.columns = sets.at(whole_value(json.at("column_set")));
    require(spec.columns.size() <= left, "its kernels have more columns than any memory holds");
    left -= spec.columns.size();
    spec.normalize = parse_normalize(json.at("normalize").get<std::string>(), spec.name);
    spec.jitter = json.at("jitter").get<double>();
    spec.group = json.at("group").get<std::string>();
    if (json.contains("features"))
      spec.features = features_from_json(json["features"], 0, "kernel '" + spec.name + "'");
    resolve(spec, n_columns);
    specs.push_back(std::make_shared<const KernelSpec>(std::move(spec)));
  }
  return specs;
}

std::string feature_tensor(std::size_t k, const char* what) { return "features" + std::to_string(k) + "." + what; }

void features_to_file(const TableModel& model, std::size_t k, TensorFile& file) {
  const FeatureConstants& constants = model.kernels[k].features().constants();
  file.tensors[feature_tensor(k, "sums")] = Tensor::of_matrix(model.feature_sums[k]);
  if (constants.points.size() > 0) file.tensors[feature_tensor(k, "points")] = Tensor::of_matrix(constants.points);
  if (constants.whitening.size() > 0)
    file.tensors[feature_tensor(k, "whitening")] = Tensor::of_matrix(constants.whitening);
  if (constants.offset.size() > 0) file.tensors[feature_tensor(k, "offset")] = Tensor::of(constants.offset);
}

FeatureConstants features_from_file(std::size_t k, const TensorFile& file) {
  const auto matrix = [&](const char* what) {
    const auto found = file.tensors.find(feature_tensor(k, what));
    return found == file.tensors.end() ? Matrix() : found->second.matrix();
  };
  FeatureConstants constants{matrix("points"), matrix("whitening"), {}, 0};
  if (const auto found = file.tensors.find(feature_tensor(k, "offset")); found != file.tensors.end())
    constants.offset = found->second.vector();
  return constants;
}

void check(const TableModel& model) {
  require(model.rows->n_rows() == std::ssize(model.kept_rows), "training rows are missing");
  require(model.rows->n_columns() == std::ssize(model.used_columns), "columns of the training rows are missing");
  require(model.kernels.size() == model.active.size(), "active kernels are missing");
  const Matrix& present = model.rows->views.present;
  require(present.size() == 0 ||
              (present.rows() == model.rows->n_rows() && present.cols() == std::ssize(model.rows->views.names) &&
               (present.array() * (1 - present.array()) == 0).all()),
          "rows and sources differ from what is said of them");
  for (const CovariateTerm& term : model.preparation.covariates)
    require(std::ranges::binary_search(model.used_columns, term.column), "the column of a covariate is not kept");
  for (const FittedKernel& kernel : model.kernels) {
    for (const Index column : kernel.spec().columns)
      require(column >= 0 && column < model.rows->n_columns(), "a kernel uses a column that is not there");
    require(!kernel.needs_all_training_rows() || kernel.normalization().row_means.size() == model.rows->n_rows(),
            "a centred kernel lacks its means");
  }
  for (std::size_t k = 0; k < model.kernels.size(); ++k)
    require(!model.kernels[k].has_features() || model.feature_sums[k].rows() == model.kernels[k].features().width(),
            "a kernel by features lacks its sums");
}

}  // namespace

void append_table_model(const TableModel& model, TensorFile& file, std::string& text) {
  Json json = Json::object();  // a null that becomes an object crashes where there is no memory for one
  json["target"] = model.target_name;
  preparation_to_file(model.preparation, json, file);
  json["active"] = model.active;
  json["active_kernels"] = Json::array();
  for (std::size_t k = 0; k < model.kernels.size(); ++k) {
    json["active_kernels"].push_back(fitted_kernel_to_json(model.kernels[k]));
    if (model.kernels[k].has_features()) features_to_file(model, k, file);
  }
  file.tensors["used_columns"] = index_tensor(model.used_columns);
  file.tensors["kept_rows"] = index_tensor(model.kept_rows);
  file.lent["rows"] = &model.rows->values;
  if (model.rows->views.present.size() > 0) file.tensors["present"] = Tensor::of_matrix(model.rows->views.present);
  text += json.dump();
  text.back() = ',';  // one more member
  text += "\"kernels\":";
  append_specs(model.specs, file, text);
  text += '}';
}

TableModel table_model_from_file(const Json& json, const TensorFile& file) {
  TableModel model;
  model.target_name = json.at("target").get<std::string>();
  model.preparation = preparation_from_file(json, file);
  const Index n_columns = model.preparation.n_columns();
  model.specs = specs_from_file(json.at("kernels"), file, n_columns);
  model.active = whole_values(json.at("active"));
  for (const Json& kernel : json.at("active_kernels")) {
    const std::size_t k = model.kernels.size();
    model.kernels.push_back(fitted_kernel_from_json(kernel, features_from_file(k, file)));
    const auto sums = file.tensors.find(feature_tensor(k, "sums"));
    model.feature_sums.push_back(sums == file.tensors.end() ? Matrix() : sums->second.matrix());
  }
  model.used_columns = indices_of(file.tensors.at("used_columns"), n_columns);
  model.kept_rows = indices_of(file.tensors.at("kept_rows"), std::numeric_limits<Index>::max());
  const Preparation used = model.preparation.only(model.used_columns);
  Samples rows{used.columns, file.tensors.at("rows").matrix(), {}};
  for (Index j = 0; j < used.n_columns(); ++j) rows.categorical.push_back(used.is_categorical(j));
  rows.views = used.views;
  if (file.tensors.contains("present")) rows.views.present = file.tensors.at("present").matrix();
  model.rows = std::make_shared<const Samples>(std::move(rows));
  check(model);
  return model;
}

}  // namespace spicymkl
