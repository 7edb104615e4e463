// Model files, and all that is done with a model.
#include "../small_problem.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "../use_model.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::fuzz {

namespace {

std::string trained(const TrainingInput& input) { return to_bytes(train_model(input, small_plan()).model); }

std::string hollow() {
  TensorFile file;
  file.tensors["dual"] = {{8, 1, 0}, {}};
  file.metadata["spicymkl"] = R"({"format_version":1})";
  return to_safetensors(file);
}

std::vector<std::string> model_seeds() {
  const std::string numbers =
      R"([{"type":"gaussian","width":[0.5,2],"columns":["a","b"]},{"type":"polynomial","degree":2,"columns":"d"}])";
  const std::string centred =
      R"([{"type":"laplacian","width":1,"columns":"a","normalize":"center"},{"type":"overlap","columns":"colour"}])";
  const std::string one_source = R"([{"type":"gaussian","width":[0.5,2],"columns":["a","b"]}])";
  const std::string by_features =
      R"([{"type":"gaussian","width":1,"columns":["a","b"],"features":{"kind":"nystrom","rank":3}},)"
      R"({"type":"gaussian","width":2,"columns":"d","features":{"kind":"fourier","rank":4}},)"
      R"({"type":"overlap","columns":"colour"}])";
  std::vector<std::string> seeds = {trained(small_input(2, numbers)),
                                    trained(small_input(0, centred)),
                                    trained(small_input(3, numbers)),
                                    trained(small_joint_input(by_features)),
                                    trained(small_targets_input(by_features)),
                                    trained(small_survival_input(one_source)),
                                    trained(small_gram_input(false)),
                                    trained(small_gram_input(true)),
                                    hollow()};
  seeds.push_back(seeds.front().substr(0, seeds.front().size() - 8));
  return seeds;
}

void read_model(std::string_view bytes) {
  accepted([&] { use_model(model_from_bytes(bytes, "fuzz.safetensors")); });
  const std::string dangerous = sealed(bytes);
  if (dangerous != bytes) use_model(model_from_bytes(dangerous, "fuzz.safetensors"));
}

}  // namespace

Target model_target() {
  return {"model",
          model_seeds,
          {"\\\"active\\\"",
           "\\\"classes\\\"",
           "\\\"columns\\\"",
           "\\\"categories\\\"",
           "\\\"n_samples\\\"",
           "\\\"kernels\\\"",
           "\\\"normalize\\\"",
           "\\\"parameters\\\"",
           "\"shape\"",
           "\"dtype\"",
           "\"F64\"",
           "\"data_offsets\"",
           "\"__metadata__\"",
           "\\\"impute\\\"",
           "\\\"features\\\"",
           "\\\"targets\\\"",
           "\\\"survival\\\"",
           "\\\"event_code\\\"",
           "\\\"covariates\\\"",
           "\\\"views\\\"",
           "null",
           "true",
           "false",
           "-1",
           "1e308",
           "9223372036854775807",
           "\\\"loss\\\"",
           "\\\"penalty\\\"",
           "\\\"blockq\\\"",
           "\\\"logistic\\\""},
          read_model};
}

}  // namespace spicymkl::fuzz
