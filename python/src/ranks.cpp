#include "ranks.hpp"

namespace spicymkl::python {

namespace {

/// A view that Python writes to.
nb::object view_of(std::span<std::byte> bytes) {
  return nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(bytes.data()), static_cast<Py_ssize_t>(bytes.size()),
                                           PyBUF_WRITE));
}

}  // namespace

PythonCommunicator::PythonCommunicator(nb::object ranks)
    : ranks_(std::move(ranks)), rank_(nb::cast<int>(ranks_.attr("rank"))), size_(nb::cast<int>(ranks_.attr("size"))) {}

PythonCommunicator::~PythonCommunicator() {
  const nb::gil_scoped_acquire lock;
  ranks_.reset();
}

void PythonCommunicator::broadcast(std::span<std::byte> bytes, int from) {
  if (bytes.empty()) return;
  const nb::gil_scoped_acquire lock;
  ranks_.attr("broadcast")(view_of(bytes), from);
}

void PythonCommunicator::allreduce(std::span<double> numbers) {
  if (numbers.empty()) return;
  const nb::gil_scoped_acquire lock;
  ranks_.attr("allreduce")(view_of(std::as_writable_bytes(numbers)));
}

void PythonCommunicator::barrier() {
  const nb::gil_scoped_acquire lock;
  ranks_.attr("barrier")();
}

void bind_ranks(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PythonTeam>(module, "Team", "On rank 0: kernels are spread over these ranks.")
      .def(nb::init<nb::object>(), "ranks"_a)
      .def(
          "end", [](PythonTeam& self) { self.team->end(0); }, "The others return from follow().");
  module.def(
      "follow",
      [](nb::object ranks) {
        PythonCommunicator communicator(std::move(ranks));
        const nb::gil_scoped_release unlocked;
        follow(communicator);
      },
      "ranks"_a, "On all ranks but 0: answers for kernels until rank 0 ends the team.");
}

}  // namespace spicymkl::python
