// Lists of kernels, from a file and from the command line, and the kernels that come of them.
#include "spicymkl/kernel/kernel_list.hpp"

#include <nlohmann/json.hpp>

#include "../small_problem.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "kernel/kernel_json.hpp"

namespace spicymkl::fuzz {

namespace {

constexpr std::size_t kMostUsed = 20;  // kernels of a long list: the others are like these

std::vector<std::string> kernel_list_seeds() {
  std::string deep;
  for (int k = 0; k < 200; ++k) deep += R"({"kernels":[)";
  return {
      R"([{"type":"gaussian","width":[0.5,1],"columns":["a","b"],"normalize":"trace","name":"g"}])",
      R"({"kernels":[{"type":"linear","columns":{"each":"0:2"}},{"type":"cosine","columns":"a"}],"standardize":false})",
      R"([{"type":"polynomial","degree":[1,2,3],"offset":1,"scale":[0.5,2],"columns":"each","normalize":"diagonal"}])",
      R"([{"type":"overlap","columns":"colour"},{"type":"laplacian","width":1,"columns":[0,1,-1],"jitter":0.1}])",
      R"([{"type":"matern","nu":[0.5,1.5,2.5],"width":1,"columns":{"groups":{"s":["a","b"],"t":"d"}}}])",
      R"([{"type":"rational_quadratic","width":1,"shape":2,"columns":"[ab]*","group":"s","normalize":"center"}])",
      R"([{"type":"chi_squared","width":1,"columns":"d","normalize":"none"},{"type":"histogram_intersection"}])",
      R"([{"type":"polynomial","degree":1e300}])",
      R"([{"type":"polynomial","degree":2147483648,"columns":"a"}])",
      R"([{"type":"gaussian","width":1e-320,"columns":"a"}])",
      R"([{"type":"gaussian","type":"linear"}])",
      R"([{"type":"gaussian","width":[1,2,3,4,5,6,7,8,9],"a":[1,2,3,4,5,6,7,8,9],"b":[1,2,3,4,5,6,7,8,9]}])",
      R"([{"type":"gaussian","width":1,"columns":{"groups":"no such file.gmt"}}])",
      R"([])",
      deep,
      "[[[[" + std::string(1000, '['),
  };
}

void use_kernel(const KernelSpec& spec, const Samples& samples) {
  const FittedKernel kernel = FittedKernel::fit(spec, samples, 1);
  Matrix gram(samples.n_rows(), samples.n_rows());
  kernel.gram(samples, gram, 1);
  require(gram.allFinite(), "a kernel that was accepted has values that are not finite");
  const nlohmann::json json = fitted_kernel_to_json(kernel);
  require(fitted_kernel_to_json(fitted_kernel_from_json(json)) == json, "a kernel changes when it is stored");
}

void use_list(const KernelList& list, Samples samples) {
  require(!list.kernels.empty(), "an empty list was accepted");
  if (list.standardizer) list.standardizer->apply(samples);
  for (std::size_t k = 0; k < std::min(kMostUsed, list.kernels.size()); ++k)
    accepted([&] { use_kernel(list.kernels[k], samples); });
}

void read_list(std::string_view bytes) {
  const Samples samples = small_samples();
  const MemoryFile file(bytes);
  KernelListOptions with_groups;
  with_groups.groups.groups = {{"s", {0, 1}}, {"t", {3}}};
  accepted([&] { use_list(make_kernel_list(file.path(), samples, {}), samples); });
  accepted([&] { use_list(make_kernel_list(file.path(), samples, with_groups), samples); });
}

}  // namespace

Target kernel_list_target() {
  return {"kernel_list",
          kernel_list_seeds,
          {"\"kernels\"",
           "\"standardize\"",
           "\"type\"",
           "\"columns\"",
           "\"normalize\"",
           "\"jitter\"",
           "\"name\"",
           "\"group\"",
           "\"groups\"",
           "\"each\"",
           "\"all\"",
           "\"given\"",
           "\"gaussian\"",
           "\"linear\"",
           "\"polynomial\"",
           "\"laplacian\"",
           "\"matern\"",
           "\"overlap\"",
           "\"cosine\"",
           "\"chi_squared\"",
           "\"rational_quadratic\"",
           "\"histogram_intersection\"",
           "\"width\"",
           "\"degree\"",
           "\"offset\"",
           "\"scale\"",
           "\"nu\"",
           "\"trace\"",
           "\"diagonal\"",
           "\"center\"",
           "\"none\"",
           "\"0:2\"",
           "\"a*\"",
           "true",
           "false",
           "null",
           "1e308",
           "1e-320",
           "-1",
           "2147483648"},
          read_list};
}

}  // namespace spicymkl::fuzz
