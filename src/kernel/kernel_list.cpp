#include "spicymkl/kernel/kernel_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "column_selection.hpp"
#include "core/closest.hpp"
#include "core/named_table.hpp"
#include "io/json_text.hpp"
#include "kernel_names.hpp"
#include "merge_kernels.hpp"
#include "sparse_counts.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/kernel/presets.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

constexpr Index kMostRandomKernels = 10'000'000;
constexpr std::size_t kBetweenLooks =
    4096;  // kernels from one look at the watch to the next: short lists are never cut

bool is_covariate(const KernelListOptions& options, Index column) {
  return std::ranges::find(options.covariates, column) != options.covariates.end();
}

std::vector<Index> without_covariates(std::vector<Index> columns, const KernelListOptions& options) {
  std::erase_if(columns, [&](Index column) { return is_covariate(options, column); });
  return columns;
}

/// Groups that have no other column are left out.
std::vector<ColumnGroup> without_covariates(std::vector<ColumnGroup> groups, const KernelListOptions& options) {
  for (ColumnGroup& group : groups) group.columns = without_covariates(std::move(group.columns), options);
  std::erase_if(groups, [](const ColumnGroup& group) { return group.columns.empty(); });
  return groups;
}

/// Everything around one object of the list.
struct Context {
  const Samples& samples;
  const KernelListOptions& options;
  const std::filesystem::path& directory;
  GroupSummary& summary;
  bool& asks_for_given;  ///< whether an object wants the groups of the options
  double most_kernels;
};

/// The columns of one object: one entry per kernel.
struct Units {
  std::vector<ColumnGroup> sets;
  bool several = false;
  bool are_groups = false;
};

Units each_of(const std::vector<Index>& columns, const Samples& samples) {
  Units units{{}, true, false};
  for (const Index j : columns) units.sets.push_back({samples.columns[j], {j}});
  return units;
}

Groups groups_of(const Json& value, const Context& context, const std::string& where) {
  if (value == "given") {
    if (context.options.groups.groups.empty() && context.samples.views.several())
      return {groups_of_sources(context.samples.views), {}};
    if (context.options.groups.groups.empty())
      throw InputError(fmt::format("{}: it asks for the given groups, but none were given", where));
    context.asks_for_given = true;
    return context.options.groups;
  }
  if (value.is_string())
    return read_groups(context.directory / value.get<std::string>(), context.samples.columns, context.samples.views);
  return groups_from_json(value, context.samples.columns);
}

void refuse_name_of_keyword(const Json& selection, const std::string& where) {
  if (!selection.is_array()) return;
  for (const Json& part : selection)
    if (part == "each")
      throw InputError(fmt::format("{}: \"each\" stands alone; for some columns use {{\"each\": [...]}}", where));
}

/// By its name or its number, where a pattern or "all" would pass over it.
void refuse_covariate_by_name(const Json& selection, const Context& context, const std::string& where) {
  const auto refuse = [&](const Json& part) {
    for (const Index j : context.options.covariates)
      if (part == context.samples.columns[j] || (part.is_number_integer() && part == j))
        throw InputError(
            fmt::format("{}: column '{}' is a covariate, and these are in no kernel; leave out one of both", where,
                        context.samples.columns[j]));
  };
  if (!selection.is_structured()) return refuse(selection);
  for (const Json& part : selection)
    if (!part.is_structured() || selection.is_object()) refuse_covariate_by_name(part, context, where);
}

Units parse_units(const Json& selection, const Context& context, const std::string& where) {
  const std::vector<std::string>& names = context.samples.columns;
  const KernelListOptions& options = context.options;
  refuse_name_of_keyword(selection, where);
  if (selection == "each")
    return each_of(without_covariates(all_kernels(context.samples.n_columns()), options), context.samples);
  if (!selection.is_object() || !selection.contains("groups")) refuse_covariate_by_name(selection, context, where);
  if (selection.is_object() && selection.size() == 1 && selection.contains("each"))
    return each_of(without_covariates(select_columns(selection["each"], names, where), options), context.samples);
  if (selection.is_object() && selection.size() == 1 && selection.contains("groups")) {
    Groups groups = groups_of(selection["groups"], context, where);
    if (groups.summary.n_absent > 0) context.summary = std::move(groups.summary);  // the last that lacks members
    return {without_covariates(std::move(groups.groups), options), true, true};
  }
  const std::vector<Index> columns = without_covariates(select_columns(selection, names, where), options);
  if (columns.empty())
    throw InputError(fmt::format("{}: all its columns are covariates, which are in no kernel", where));
  const bool all = columns.size() == names.size() - options.covariates.size() && columns.size() > 1;
  return {{{all ? "all" : describe_columns(columns, names), columns}}, false, false};
}

/// A number, or the numbers of a list.
std::vector<double> parse_values(const std::string& key, const Json& value, const std::string& where) {
  const auto number = [&](const Json& item) {
    if (!item.is_number())
      throw InputError(
          fmt::format("{}: {} is {}, but it must be a number or a list of numbers", where, key, shown(item)));
    return item.get<double>();
  };
  if (!value.is_array()) return {number(value)};
  if (value.empty()) throw InputError(fmt::format("{}: the list of values for {} is empty", where, key));
  std::vector<double> values;
  for (const Json& item : value) values.push_back(number(item));
  return values;
}

/// One choice of every parameter of an object; `varied` holds those that came from a list.
struct Choice {
  KernelParameters parameters;
  KernelParameters varied;
};

bool is_parameter(const std::string& key) {
  return key != "type" && key != "columns" && key != "normalize" && key != "jitter" && key != "name" &&
         key != "group" && key != "features";
}

std::vector<Choice> parse_choices(const Json& object, const std::string& where) {
  std::vector<Choice> choices(1);
  for (const auto& [key, value] : object.items()) {
    if (!is_parameter(key)) continue;
    std::vector<Choice> longer;
    const std::vector<double> values = parse_values(key, value, where);
    longer.reserve(choices.size() * values.size());
    for (const Choice& choice : choices) {
      for (const double number : values) {
        Choice next = choice;
        next.parameters[key] = number;
        if (value.is_array()) next.varied[key] = number;
        longer.push_back(std::move(next));
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

std::size_t count_values(const Json& json) {
  if (!json.is_structured()) return 1;
  std::size_t count = 0;
  for (const Json& part : json) count += count_values(part);
  return count;
}

/// Lists multiply out, so that a short text may ask for more kernels than any memory holds. One that means it has at
/// least a value for every hundred kernels on a column.
double most_kernels(const Json& list, const Samples& samples) {
  constexpr double kFew = 100'000;
  return kFew + 100 * static_cast<double>(count_values(list)) * static_cast<double>(samples.n_columns());
}

/// Before they are made.
double count_choices(const Json& object) {
  double count = 1;
  for (const auto& [key, value] : object.items())
    if (is_parameter(key) && value.is_array()) count *= static_cast<double>(value.size());
  return count;
}

std::string text_at(const Json& object, const char* key, const std::string& fallback, const std::string& where) {
  if (!object.contains(key)) return fallback;
  if (!object[key].is_string())
    throw InputError(fmt::format("{}: {} is {}, but it must be a string", where, key, shown(object[key])));
  return object[key].get<std::string>();
}

/// The user's name shows what varies; without one the name shows everything.
std::string name_of(const std::string& given, const std::string& type, const Choice& choice, const Units& units,
                    const std::string& label) {
  if (given.empty()) return kernel_name(type, choice.parameters, label);
  std::string name = given;
  if (!choice.varied.empty()) name += " (" + parameter_text(choice.varied) + ")";
  if (units.several) name += " on " + label;
  return name;
}

void add_object(const Json& object, std::size_t position, const Context& context, std::vector<KernelSpec>& kernels) {
  const std::string place = fmt::format("kernel number {} of the list", position + 1);
  if (!object.is_object())
    throw InputError(fmt::format("{} is {}, but it must be an object such as {{\"type\": \"gaussian\", \"width\": 1}}",
                                 place, shown(object)));
  if (!object.contains("type"))
    throw InputError(
        fmt::format("{} has no \"type\"; choose one of {}", place, fmt::join(names_of(kernel_types()), ", ")));
  const std::string type = text_at(object, "type", "", place);
  const std::string given = text_at(object, "name", "", place);
  const std::string alias = shortened(given.empty() ? fmt::format("{} #{}", type, position + 1) : given);
  const std::string where = fmt::format("kernel '{}'", alias);
  find_kernel_type(shortened(type), alias);
  const Units units = parse_units(object.value("columns", Json("all")), context, where);

  KernelSpec spec;
  spec.type = type;
  spec.normalize = parse_normalize(text_at(object, "normalize", "trace", where), alias);
  if (object.contains("jitter")) {
    if (!object["jitter"].is_number()) throw InputError(fmt::format("{}: jitter must be a number", where));
    spec.jitter = object["jitter"].get<double>();
  }
  if (object.contains("features")) spec.features = features_from_json(object["features"], context.options.seed, where);
  const std::string group = text_at(object, "group", "", where);
  const double asked = count_choices(object) * static_cast<double>(units.sets.size());
  if (static_cast<double>(kernels.size()) + asked > context.most_kernels)
    throw InputError(
        fmt::format("{}: its lists of values multiply out to {:.0f} kernels, and the whole list may have {:.0f}; "
                    "give fewer values",
                    where, asked, context.most_kernels));
  const std::vector<Choice> choices = parse_choices(object, where);
  for (const ColumnGroup& set : units.sets) {
    for (const Choice& choice : choices) {
      if ((kernels.size() + 1) % kBetweenLooks == 0) context.options.watch.check();
      spec.name = name_of(given, type, choice, units, set.name);
      spec.group = group.empty() && units.are_groups ? set.name : group;
      spec.columns = set.columns;
      spec.parameters = choice.parameters;
      resolve(spec, context.samples.n_columns());
      kernels.push_back(spec);
    }
  }
}

/// The list itself, and whether it asks for standardised columns.
std::pair<const Json*, bool> unwrap(const Json& json, bool allowed) {
  if (json.is_array()) return {&json, allowed};
  if (!json.is_object() || !json.contains("kernels"))
    throw InputError("the kernel list must be a JSON list of objects such as {\"type\": \"gaussian\", \"width\": 1}");
  for (const auto& [key, value] : json.items())
    if (key != "kernels" && key != "standardize")
      throw InputError(fmt::format("the kernel list has the key '{}'; it knows \"kernels\" and \"standardize\"", key));
  const Json standardize = json.value("standardize", Json(true));
  if (!standardize.is_boolean()) throw InputError("the kernel list: \"standardize\" must be true or false");
  if (!json["kernels"].is_array()) throw InputError("the kernel list: \"kernels\" must be a list");
  return {&json["kernels"], allowed && standardize.get<bool>()};
}

KernelList parse_inline_list(std::string_view text, const Samples& training, const KernelListOptions& options) {
  return parse_kernel_list(parse_json(text, "the kernel list"), training, options, ".");
}

/// Without opening it: a pipe can be read once.
void check_list_file(const std::filesystem::path& path) {
  if (::access(path.c_str(), R_OK) != 0)
    throw InputError(fmt::format(
        "kernels '{}'{} is neither a preset (auto, auto:columns, auto:joint, paper, random:M such as "
        "random:100) nor a file that can be read",
        path.string(), did_you_mean(path.string(), {"auto", "auto:columns", "auto:joint", "paper", "random:M"})));
}

KernelList read_kernel_list(const std::filesystem::path& path, const Samples& training,
                            const KernelListOptions& options) {
  check_list_file(path);
  std::ifstream file(path);
  const Json json = parse_json(file, fmt::format("kernel list '{}'", path.string()));
  return parse_kernel_list(json, training, options, path.parent_path());
}

Index random_count(std::string_view text) {
  Index count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > kMostRandomKernels)
    throw InputError(
        fmt::format("kernels 'random:{}': after random: goes the number of kernels, such as random:100", text));
  return count;
}

bool is_inline(std::string_view spec) { return spec.starts_with('[') || spec.starts_with('{'); }

bool is_random(std::string_view spec) { return spec == "random" || spec.starts_with("random:"); }

bool is_preset(std::string_view spec) { return auto_part(spec) || spec == "paper" || is_random(spec); }

bool takes_groups(std::string_view spec) { return !is_random(spec) && auto_part(spec) != AutoPart::columns; }

[[noreturn]] void refuse_groups(std::string_view spec) {
  throw InputError(fmt::format("kernels '{}' {} and takes no groups; leave them out, or use auto or paper", spec,
                               is_random(spec) ? "draws its columns at random" : "are on single columns"));
}

std::vector<KernelSpec> preset_kernels(std::string_view spec, const Samples& samples, const KernelListOptions& options);

/// Of the columns beside the covariates.
std::vector<KernelSpec> preset_beside_covariates(std::string_view spec, const Samples& samples,
                                                 KernelListOptions options) {
  const std::vector<Index> columns = without_covariates(all_kernels(samples.n_columns()), options);
  if (columns.empty()) throw InputError("every column is a covariate, and none is left for the kernels");
  std::vector<ColumnGroup> groups = without_covariates(std::move(options.groups.groups), options);
  for (ColumnGroup& group : groups)
    for (Index& column : group.columns) column = std::ranges::lower_bound(columns, column) - columns.begin();
  options.groups.groups = std::move(groups);
  options.covariates.clear();
  std::vector<KernelSpec> kernels = preset_kernels(spec, select_columns(samples, columns), options);
  for (KernelSpec& kernel : kernels)
    for (Index& column : kernel.columns) column = columns[column];
  return kernels;
}

std::vector<KernelSpec> preset_kernels(std::string_view spec, const Samples& samples,
                                       const KernelListOptions& options) {
  if (!options.covariates.empty()) return preset_beside_covariates(spec, samples, options);
  std::vector<ColumnGroup> groups = options.groups.groups;
  if (!groups.empty() && !takes_groups(spec)) refuse_groups(spec);
  if (groups.empty() && takes_groups(spec)) groups = groups_of_sources(samples.views);
  if (const auto part = auto_part(spec)) return auto_kernels(samples, groups, *part);
  if (spec == "paper") return paper_kernels(samples, groups);
  return random_kernels(samples, random_count(spec.substr(spec.find(':') + 1)), options.seed);
}

/// Covariates stay as they are.
Standardizer fit_standardizer(const Samples& training, const KernelListOptions& options) {
  Standardizer fitted = Standardizer::fit(training, options.threads);
  fitted.mean(options.covariates).setZero();
  fitted.scale(options.covariates).setOnes();
  return fitted;
}

void keep_counts(const Samples& training, const KernelListOptions& options, KernelList& list) {
  const std::vector<Index> counts = without_covariates(sparse_counts(training), options);
  if (counts.empty()) return;
  keep_proportions(counts, *list.standardizer);
  list.remarks.push_back(fmt::format(
      "auto: {} columns hold counts that are mostly 0, such as '{}': they are divided by one common number, "
      "not each by its deviation, and have a cosine kernel",
      counts.size(), training.columns[counts.front()]));
}

/// That of a file, or of the JSON itself.
KernelList given_list(std::string_view spec, const Samples& training, const KernelListOptions& options) {
  if (is_inline(spec)) return parse_inline_list(spec, training, options);
  return read_kernel_list(std::filesystem::path(spec), training, options);
}

/// A kernel on columns of one table is of that source.
void name_sources(const Views& views, std::vector<KernelSpec>& kernels) {
  if (!views.several()) return;
  for (KernelSpec& kernel : kernels) {
    const Index source = views.of_column[kernel.columns.front()];
    const auto elsewhere = [&](Index column) { return views.of_column[column] != source; };
    if (kernel.group.empty() && std::ranges::none_of(kernel.columns, elsewhere)) kernel.group = views.names[source];
  }
}

void merge_identical(KernelList& list) {
  std::string remark = merged_text(merge_identical(list.kernels));
  if (!remark.empty()) list.remarks.push_back(std::move(remark));
}

}  // namespace

KernelList parse_kernel_list(const Json& json, const Samples& training, const KernelListOptions& options,
                             const std::filesystem::path& directory) {
  check_samples(training, options.threads);
  const auto [objects, standardize] = unwrap(json, options.standardize);
  const Json& list = *objects;
  if (list.empty()) throw InputError("the kernel list is empty: give at least one kernel");
  KernelList result;
  result.groups = options.groups.summary;
  bool asks_for_given = false;
  const Context context{training, options, directory, result.groups, asks_for_given, most_kernels(list, training)};
  for (std::size_t k = 0; k < list.size(); ++k) add_object(list[k], k, context, result.kernels);
  if (!options.groups.groups.empty() && !asks_for_given)
    throw InputError(
        "groups have no effect with this kernel list, which does not ask for them by {\"columns\": {\"groups\": "
        "\"given\"}}; leave them out, or use auto or paper");
  merge_identical(result);
  make_names_unique(result.kernels);
  name_sources(training.views, result.kernels);
  if (standardize) result.standardizer = fit_standardizer(training, options);
  return result;
}

void check_kernel_files(std::string_view spec, const std::string& groups) {
  if (is_random(spec)) random_count(spec.substr(spec.find(':') + 1));
  else if (!is_preset(spec) && !is_inline(spec)) check_list_file(std::filesystem::path(spec));
  if (groups.empty()) return;
  if (is_preset(spec) && !takes_groups(spec)) refuse_groups(spec);
  check_groups_file(groups);
}

KernelList list_and_standardize(std::string_view spec, Samples& training, const KernelListOptions& options) {
  if (!is_preset(spec)) {
    KernelList list = given_list(spec, training, options);
    if (list.standardizer) list.standardizer->apply(training, options.threads);
    return list;
  }
  check_samples(training, options.threads);
  KernelList result;
  result.groups = options.groups.summary;
  if (options.standardize) {
    result.standardizer = fit_standardizer(training, options);
    if (auto_part(spec)) keep_counts(training, options, result);
    result.standardizer->apply(training, options.threads);
  }
  result.kernels = preset_kernels(spec, training, options);
  merge_identical(result);
  name_sources(training.views, result.kernels);
  return result;
}

KernelList make_kernel_list(std::string_view spec, const Samples& training, const KernelListOptions& options) {
  if (!is_preset(spec)) return given_list(spec, training, options);
  Samples seen = training;
  return list_and_standardize(spec, seen, options);
}

}  // namespace spicymkl
