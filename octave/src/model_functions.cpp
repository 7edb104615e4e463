#include "functions.hpp"
#include "io/atomic_file.hpp"
#include "models.hpp"
#include "spicymkl/model/model_file.hpp"

namespace spicymkl::octave {

Outputs predict(Arguments arguments) { return predict(to_model(arguments[0]), arguments[1]); }

Outputs save(Arguments arguments) {
  const Model model = to_model(arguments[0]);
  write_file(to_text(arguments[1], "the file name"), spicymkl::to_bytes(model));
  return {};
}

Outputs load(Arguments arguments) { return {from_model(load_model(to_text(arguments[0], "the file name")), {})}; }

}  // namespace spicymkl::octave
