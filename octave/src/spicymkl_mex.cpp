// The entry from Octave or MATLAB: [failure, ...] = spicymkl_mex (FUNCTION, ...), which the .m files call. `failure` is
// empty, or a struct with an identifier and a message: an error that is raised from here would jump over destructors,
// so that the .m files raise it.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "core/named_table.hpp"
#include "functions.hpp"
#include "interrupt.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::octave {

namespace {

struct Function {
  std::string name;
  std::size_t n_arguments;
  Outputs (*call)(Arguments);
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {{"train", 3, train},     {"path", 3, path}, {"cv", 3, cv},
                                            {"predict", 2, predict}, {"save", 2, save}, {"load", 1, load}};
  return all;
}

/// The library speaks of options as they are typed on the command line: --l1-ratio is options.l1_ratio here. Where it
/// also says how Python calls one, that is left out.
std::string in_own_words(const std::string& message) {
  static const std::regex flag("--([a-z][a-z0-9-]*)( of the command, [a-z_0-9]+= in Python)?");
  std::string text;
  auto rest = message.begin();
  for (std::sregex_iterator found(message.begin(), message.end(), flag), end; found != end; ++found) {
    std::string name = found->str(1);
    std::ranges::replace(name, '-', '_');
    text.append(rest, message.begin() + found->position());
    text += "options." + name;
    rest = message.begin() + found->position() + found->length();
  }
  return text.append(rest, message.end());
}

Outputs call(Arguments arguments) {
  if (arguments.empty()) throw InputError("spicymkl_mex is called by spicymkl_train and its sisters; see their help");
  const Function& function = get_named(functions(), to_text(arguments[0], "the function"), "function");
  if (arguments.size() != function.n_arguments + 1)
    throw InputError(fmt::format("{} takes {} arguments", function.name, function.n_arguments));
  return function.call(arguments.subspan(1));
}

mxArray* failure(const char* kind, const std::string& message) {
  return NewStruct().set("identifier", std::string("spicymkl:") + kind).set("message", message).array();
}

/// What was made, and null; or nothing, and what went wrong.
mxArray* call_into(Outputs& made, Arguments arguments) {
  try {
    made = call(arguments);
    return nullptr;
  } catch (const Stopped&) {
    return failure("interrupted",
                   interrupted() ? "stopped by Ctrl-C" : "max_seconds was over before there was an answer; raise it");
  } catch (const InputError& error) {
    return failure("input", in_own_words(error.what()));
  } catch (const std::bad_alloc&) {
    return failure("memory", "there is not enough memory; give fewer kernels or samples");
  } catch (const std::exception& error) {
    return failure("internal", fmt::format("{}; this is a fault of spicymkl, please report it", error.what()));
  }
}

mxArray* empty() { return mxCreateDoubleMatrix(0, 0, mxREAL); }

}  // namespace

}  // namespace spicymkl::octave

void mexFunction(int n_outputs, mxArray* outputs[], int n_arguments, const mxArray* arguments[]) {
  using namespace spicymkl::octave;
  Outputs made;
  mxArray* failed = call_into(made, {arguments, static_cast<std::size_t>(n_arguments)});
  outputs[0] = failed != nullptr ? failed : empty();
  for (int k = 1; k < n_outputs; ++k)
    outputs[k] = k <= std::ssize(made) ? made[static_cast<std::size_t>(k - 1)] : empty();
}
