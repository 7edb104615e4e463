// libspicymkl_cuda.so without a GPU: the processor plays the device. SPICYMKL_HOST_DEVICE=lost makes it fail at its
// first work, full leaves it a megabyte.
#include <cstdlib>
#include <string_view>

#include "support/host_device.hpp"

extern "C" __attribute__((visibility("default"))) const spicymkl_device_functions* spicymkl_device_api() {
  namespace host = spicymkl::testing_support::host_device;
  const char* behaviour = std::getenv("SPICYMKL_HOST_DEVICE");
  if (behaviour != nullptr && std::string_view(behaviour) == "lost")
    host::behaviour().next_failure = SPICYMKL_DEVICE_LOST;
  if (behaviour != nullptr && std::string_view(behaviour) == "full") host::behaviour().total_bytes = 1 << 20;
  return host::functions();
}
