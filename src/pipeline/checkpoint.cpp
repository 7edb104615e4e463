#include "checkpoint.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "io/json_text.hpp"
#include "io/stored_object.hpp"
#include "model/fit_file.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

constexpr int kFormatVersion = 1;

const StoredKind& stored_checkpoint() {
  static const StoredKind kind{"checkpoint", "spicymkl_checkpoint", kFormatVersion,
                               "not the checkpoint of a training run; give another file", "remove it and start again"};
  return kind;
}

std::string prefix(Index number) { return fmt::format("fit{}.", number); }

/// JSON has no infinity, but γ and the first bounds do.
Tensor history_tensor(const History& history) {
  Matrix rows(std::ssize(history), 8);
  for (std::size_t k = 0; k < history.size(); ++k) {
    const Record& r = history[k];
    rows.row(static_cast<Index>(k)) << r.iteration, r.seconds, r.gamma, r.newton_steps, r.primal, r.dual, r.gap,
        static_cast<double>(r.n_active);
  }
  return Tensor::of_matrix(rows);
}

/// Counts of a history, so small that all of them can be added up.
int count_of(double value, Index n_records) {
  if (!(value >= 0 && value <= 1e9 / static_cast<double>(n_records))) throw InputError("a count is out of range");
  return static_cast<int>(value);
}

History history_of(const Tensor& tensor) {
  const Matrix rows = tensor.matrix();
  const Index n = rows.rows();
  if (n > 0 && rows.cols() != 8) throw InputError("a history has another number of columns");
  History history;
  for (Index k = 0; k < n; ++k)
    history.push_back({count_of(rows(k, 0), 1), rows(k, 1), rows(k, 2), count_of(rows(k, 3), n), rows(k, 4), rows(k, 5),
                       rows(k, 6), count_of(rows(k, 7), 1)});
  return history;
}

Json start_to_file(const WarmStart& start, const std::string& names, TensorFile& file) {
  file.tensors[names + "start_dual"] = Tensor::of(start.dual);
  file.tensors[names + "start_coef"] = Tensor::of_matrix(start.coef);
  file.tensors[names + "start_multipliers"] = Tensor::of_matrix(start.multipliers);
  file.tensors[names + "start_unpenalised"] = Tensor::of_matrix(start.unpenalised);
  return {{"kernels", start.kernels}};
}

WarmStart start_from_file(const Json& json, const std::string& names, const TensorFile& file) {
  return {file.tensors.at(names + "start_dual").vector(), whole_values(json.at("kernels")),
          file.tensors.at(names + "start_coef").matrix(), file.tensors.at(names + "start_unpenalised").matrix(),
          file.tensors.at(names + "start_multipliers").matrix()};
}

TrainingState parse(const Json& header, const TensorFile& file) {
  if (header.at("checksum") != tensor_checksum(file)) throw InputError("its numbers have changed");
  TrainingState state;
  for (const auto& [number, fit] : header.at("fits").items()) {
    const Index f = std::stol(number);
    state.fits[f] = {fit_from_file(fit, prefix(f), file), history_of(file.tensors.at(prefix(f) + "history")),
                     start_from_file(fit.at("end"), prefix(f), file)};
  }
  state.current = whole_value(header.at("current"));
  state.current_start = start_from_file(header.at("current_start"), "", file);
  state.current_history = history_of(file.tensors.at("history"));
  return state;
}

/// Each of them once, and all below `limit`.
bool is_set(const std::vector<Index>& numbers, Index limit) {
  const std::set<Index> once(numbers.begin(), numbers.end());
  return once.size() == numbers.size() && (once.empty() || (*once.begin() >= 0 && *once.rbegin() < limit));
}

void check_identity(const RunIdentity& there, const RunIdentity& here, const std::string& path) {
  const auto shown = [](const std::string& text) { return text.empty() ? "not given" : "'" + text + "'"; };
  for (const auto& [name, now] : here) {
    const auto found = there.find(name);
    const std::string then = found == there.end() ? "" : found->second;
    if (then != now)
      throw InputError(fmt::format(
          "'{}' is the checkpoint of another run: {} was {} there and is {} now; give what was given then, or "
          "another checkpoint file",
          path, name, shown(then), shown(now)));
  }
}

}  // namespace

std::string checkpoint_bytes(const TrainingState& state, const RunIdentity& identity) {
  TensorFile file;
  Json fits = Json::object();
  for (const auto& [number, fit] : state.fits) {
    Json& json = fits[fmt::format("{}", number)];
    json = fit_to_file(fit.fit, prefix(number), file);
    json["end"] = start_to_file(fit.end, prefix(number), file);
    file.tensors[prefix(number) + "history"] = history_tensor(fit.history);
  }
  Json header = {
      {"format_version", kFormatVersion}, {"identity", identity}, {"fits", fits}, {"current", state.current}};
  header["current_start"] = start_to_file(state.current_start, "", file);
  file.tensors["history"] = history_tensor(state.current_history);
  header["checksum"] = tensor_checksum(file);
  file.metadata[stored_checkpoint().metadata_key] = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  return to_safetensors(file);
}

TrainingState load_checkpoint(const std::string& path, const RunIdentity& identity) {
  const TensorFile file = read_stored(stored_checkpoint(), path, [&] { return read_safetensors(path); });
  const Json header = stored_header(stored_checkpoint(), file, path);
  const auto then = read_stored(stored_checkpoint(), path, [&] { return header.at("identity").get<RunIdentity>(); });
  check_identity(then, identity, path);
  return read_stored(stored_checkpoint(), path, [&] { return parse(header, file); });
}

void check_state(const TrainingState& state, const TrainingInput& input) {
  const Index n_samples = input.bank->n_samples(), n_kernels = input.bank->n_kernels();
  const Index n_entries = n_samples * input.target.n_outputs();
  const auto require = [](bool condition) {
    if (!condition) throw InputError("the checkpoint does not fit the data; remove it and start again");
  };
  const auto check = [&](const WarmStart& start) {
    const Index n_active = start.coef.cols();
    require(start.dual.allFinite() && start.coef.allFinite() && start.multipliers.allFinite());
    require(std::ssize(start.kernels) == n_active && is_set(start.kernels, n_kernels));
    if (start.empty()) return require(n_active == 0);
    require(start.dual.size() == n_entries && (n_active == 0 || start.coef.rows() == n_entries));
    require(start.unpenalised.cols() == input.target.n_outputs() && start.unpenalised.allFinite());
  };
  for (const auto& [number, fit] : state.fits) {
    require(number >= 0 && number < input.target.n_fits());
    check_fit(fit.fit, n_samples, n_kernels);
    require(fit.fit.n_outputs() == input.target.n_outputs());
    check(fit.end);
  }
  check(state.current_start);
}

}  // namespace spicymkl
