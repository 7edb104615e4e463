// From what the user typed after --kernels to a list of kernels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/watch.hpp"
#include "spicymkl/kernel/groups.hpp"
#include "spicymkl/kernel/kernel_spec.hpp"
#include "spicymkl/kernel/standardizer.hpp"

namespace spicymkl {

struct KernelListOptions {
  Groups groups;            ///< for `auto`, `paper`, and {"groups": "given"} in a JSON list; may be empty
  std::uint64_t seed = 0;   ///< of random:M
  bool standardize = true;  ///< whether kernels see standardised columns
  Watch watch;              ///< ends the making of a very long list
  int threads = 1;
  std::vector<Index> covariates = {};  ///< columns that are in no kernel, and are not standardised
};

struct KernelList {
  std::vector<KernelSpec> kernels;
  /// Set when the kernels are meant for standardised columns: apply it to the training rows and to every new row.
  std::optional<Standardizer> standardizer;
  GroupSummary groups;
  /// What the user should know of the list, such as kernels that were the same and are now one; a sentence each.
  std::vector<std::string> remarks;
};

/// `spec` is auto, paper, random:M, the path of a JSON file, or the JSON itself. `training` is as read, and
/// standardised when this returns, if the list has a standardizer: a large table is not copied for it.
KernelList list_and_standardize(std::string_view spec, Samples& training, const KernelListOptions& options);
/// The same list for rows that stay as they are.
KernelList make_kernel_list(std::string_view spec, const Samples& training, const KernelListOptions& options);

/// What can be known to be wrong with a `spec` and a groups file before there are rows is an InputError.
void check_kernel_files(std::string_view spec, const std::string& groups);

/// A JSON list of objects such as {"type": "gaussian", "width": [0.5, 1], "columns": "mrna_*", "normalize": "trace"}.
/// A parameter may be a list of values: one kernel for each; several lists multiply out, the last one fastest.
/// "columns" (default "all") is a selection of column_selection.hpp, for one kernel, or one of these, for several:
///   "each"                   one kernel a column
///   {"each": selection}      one kernel for each of these columns
///   {"groups": object}       one kernel a group; object as in groups.hpp, or a file name (.json, .gmt) relative to
///                            `directory`, or "given" for the groups in the options
/// "features" makes it a kernel by features, as in features_from_json.
/// The other keys are "jitter", "name", "group"; whatever else is there must be a parameter of the type.
/// Columns are standardised, unless the options say no, or instead of the list there is an object
/// {"kernels": list, "standardize": false}.
KernelList parse_kernel_list(const nlohmann::json& json, const Samples& training, const KernelListOptions& options,
                             const std::filesystem::path& directory);

}  // namespace spicymkl
