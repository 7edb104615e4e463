#include "device.hpp"

#include <fmt/format.h>

#include "core/quantity_text.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr const char* kCudaPlugin = "libspicymkl_cuda.so";

}  // namespace

Device::Device(DeviceFunctions functions, int number) : functions_(std::move(functions)) {
  const int status = functions_->open(number, &handle_);
  if (status != SPICYMKL_DEVICE_OK) {
    const std::string why = handle_ == nullptr ? "it cannot be opened" : functions_->last_error(handle_);
    if (handle_ != nullptr) functions_->close(handle_);
    throw InputError(fmt::format("there is no GPU to work on ({}); use device cpu", why));
  }
  spicymkl_device_description description{};
  check(functions_->describe(handle_, &description));
  name_ = description.name;
  total_bytes_ = static_cast<double>(description.total_bytes);
}

double Device::free_bytes() const {
  spicymkl_device_description description{};
  check(functions_->describe(handle_, &description));
  return static_cast<double>(description.free_bytes);
}

void Device::check(int status) const {
  const char* why = status == SPICYMKL_DEVICE_OK ? "" : functions_->last_error(handle_);
  switch (status) {
    case SPICYMKL_DEVICE_OK:
      return;
    case SPICYMKL_DEVICE_OUT_OF_MEMORY:
      throw InputError(fmt::format(
          "the memory of {} does not suffice ({}); other programs may use it: try again later, set a smaller memory, "
          "or use device cpu",
          name_, why));
    case SPICYMKL_DEVICE_LOST:
      throw InputError(fmt::format("{} stopped working ({}); start again, or use device cpu", name_, why));
    default:
      throw InputError(fmt::format("{} failed ({}); start again, or use device cpu", name_, why));
  }
}

bool Device::is_definite(int status) const {
  if (status == SPICYMKL_DEVICE_NOT_DEFINITE) return false;
  check(status);
  return true;
}

DeviceMemory::DeviceMemory(std::shared_ptr<const Device> device, double bytes) : device_(std::move(device)) {
  const int status = device_->functions().allocate(device_->handle(), static_cast<std::int64_t>(bytes), &memory_);
  if (status == SPICYMKL_DEVICE_OUT_OF_MEMORY)
    throw InputError(
        fmt::format("{} has no {} of memory left; other programs may use it: try again later, set a "
                    "smaller memory, or use device cpu",
                    device_->name(), bytes_text(bytes)));
  device_->check(status);
}

std::shared_ptr<const DeviceMemory> send(const std::shared_ptr<const Device>& device, ConstMatrixRef values) {
  const double bytes = sizeof(double) * static_cast<double>(values.size());
  auto memory = std::make_shared<const DeviceMemory>(device, bytes);
  const Matrix packed = values;
  device->check(device->functions().upload(device->handle(), memory->numbers<double>(), packed.data(),
                                           static_cast<std::int64_t>(bytes)));
  return memory;
}

std::shared_ptr<const Device> open_cuda(int number) {
  return std::make_shared<const Device>(load_plugin(kCudaPlugin), number);
}

std::string name_of(const Device& device) { return device.name(); }

void check_device_name(const std::string& name) {
  if (name != "cpu" && name != "cuda" && name != "auto")
    throw InputError(fmt::format("device is '{}', but it must be cpu, cuda or auto", name));
}

std::shared_ptr<const Device> choose_device(const std::string& name) {
  check_device_name(name);
  if (name == "cpu") return nullptr;
  if (name == "cuda") return open_cuda();
  try {
    return open_cuda();
  } catch (const InputError&) {  // nothing to work on but the processor
    return nullptr;
  }
}

}  // namespace spicymkl
