// The JSON of a model, where its certificate lives: no part of the product reads the file that --certificate writes,
// but inspect, verify and predict read the same numbers here. The tensors are those of good models, with a right
// checksum.
#include "../small_problem.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "../use_model.hpp"
#include "core/utf8.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::fuzz {

namespace {

/// What table models, of survival times too, and one of precomputed kernels are made of.
const std::vector<TensorFile>& containers() {
  static const std::vector<TensorFile> all = [] {
    const std::string kernels = R"([{"type":"gaussian","width":[0.5,2],"columns":["a","b"]}])";
    std::vector<TensorFile> files;
    for (const TrainingInput& input : {small_input(2, kernels), small_survival_input(kernels), small_gram_input(true)})
      files.push_back(parse_safetensors(to_bytes(train_model(input, small_plan()).model), "container"));
    return files;
  }();
  return all;
}

std::vector<std::string> certificate_seeds() {
  std::vector<std::string> seeds;
  for (const TensorFile& file : containers()) seeds.push_back(file.metadata.at("spicymkl"));
  return seeds;
}

void read_certificate(std::string_view bytes) {
  if (!is_utf8(bytes)) return;  // no safetensors file holds such a text
  for (TensorFile file : containers()) {
    file.metadata["spicymkl"] = bytes;
    seal(file);
    accepted([&] { use_model(model_from_bytes(to_safetensors(file), "fuzz.safetensors")); });
  }
}

}  // namespace

Target certificate_target() {
  return {"certificate",
          certificate_seeds,
          {"\"primal\"",
           "\"dual_objective\"",
           "\"relative_gap\"",
           "\"status\"",
           "\"converged\"",
           "\"active\"",
           "\"alpha\"",
           "\"penalty\"",
           "\"block1\"",
           "\"blockq\"",
           "\"elasticnet\"",
           "\"mixed\"",
           "\"uniform\"",
           "\"loss\"",
           "\"hinge\"",
           "\"logistic\"",
           "\"q\"",
           "\"l1_ratio\"",
           "\"classes\"",
           "\"iterations\"",
           "\"checksum\"",
           "\"n_samples\"",
           "\"format_version\"",
           "null",
           "true",
           "1e308",
           "-1e308",
           "1e-320",
           "-1",
           "2147483648",
           "9223372036854775807",
           "18446744073709551615",
           "1.5"},
          read_certificate};
}

}  // namespace spicymkl::fuzz
