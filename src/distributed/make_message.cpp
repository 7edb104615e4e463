#include "make_message.hpp"

namespace spicymkl {

namespace {

void put_options(const PartOptions& options, Writer& out) {
  out.put(options.exact);
  out.put(options.work_bytes);
  out.put(options.bank.memory);
  out.put(options.bank.expected_passes);
  out.put(options.bank.rank_tolerance);
  out.put(options.bank.threads);
}

PartOptions options_from(Reader& in) {
  PartOptions options;
  options.exact = in.get<bool>();
  options.work_bytes = in.get<double>();
  options.bank.memory = in.get<double>();
  options.bank.expected_passes = in.get<double>();
  options.bank.rank_tolerance = in.get<double>();
  options.bank.threads = in.get<int>();
  return options;
}

/// Counts the kernels of a rank.
void place(bool mine, MakeTask& task, Index& count) { task.places.push_back(mine ? count++ : -1); }

}  // namespace

void put(const MakeOrder& order, Writer& out) {
  out.put(order.number);
  put_options(order.options, out);
  out.put(static_cast<std::uint64_t>(order.kernels.size()));
  for (std::size_t m = 0; m < order.kernels.size(); ++m) {
    out.put(order.rank_of[m]);
    if (order.rank_of[m] == 0) continue;
    Writer kernel;  // a block, which other ranks pass over
    put(order.kernels[m], kernel);
    put(order.outlines.empty() ? KernelOutline() : order.outlines[m], kernel);
    out.put(kernel.bytes());
  }
}

MakeTask make_task_from(Reader& in, int rank, const Watch& watch) {
  MakeTask task;
  task.number = in.get<Index>();
  task.options = options_from(in);
  task.options.bank.watch = watch;
  Index count = 0;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const int owner = in.get<int>();
    place(owner == rank, task, count);
    if (owner == 0) continue;
    const auto block = in.block();
    if (owner != rank) continue;
    Reader kernel(block);
    task.kernels.push_back(kernel_from(kernel));
    task.outlines.push_back(outline_from(kernel));
  }
  return task;
}

MakeTask make_task_of(const MakeOrder& order, int rank) {
  MakeTask task{.number = order.number, .kernels = {}, .outlines = {}, .places = {}, .options = order.options};
  Index count = 0;
  for (std::size_t m = 0; m < order.kernels.size(); ++m) {
    place(order.rank_of[m] == rank, task, count);
    if (order.rank_of[m] != rank) continue;
    task.kernels.push_back(order.kernels[m]);
    if (!order.outlines.empty()) task.outlines.push_back(order.outlines[m]);
  }
  return task;
}

}  // namespace spicymkl
