#include "gram_store.hpp"

#include <algorithm>
#include <limits>

#include "kernel_request.hpp"

namespace spicymkl {

namespace {

constexpr double kSpareShare = 0.25;    // of the room, for kernels that are computed when they are needed
constexpr double kBatchBytes = 0x1p33;  // of kernels that are computed in one go

/// Matrices one after the other in one piece of memory.
std::vector<void*> places_in(const DeviceMemory& memory, const GramLayout& layout, Index count) {
  std::vector<void*> places;
  for (Index k = 0; k < count; ++k)
    places.push_back(memory.numbers<char>() + static_cast<std::size_t>(layout.bytes()) * static_cast<std::size_t>(k));
  return places;
}

std::vector<DeviceGram> grams_in(const std::shared_ptr<const DeviceMemory>& memory, const GramLayout& layout,
                                 Index count) {
  std::vector<DeviceGram> grams;
  for (void* place : places_in(*memory, layout, count)) grams.push_back({memory, place});
  return grams;
}

}  // namespace

GramSource::GramSource(const std::shared_ptr<const Device>& device, std::shared_ptr<const Samples> rows,
                       std::vector<FittedKernel> of, int with_threads)
    : training(std::move(rows)), kernels(std::move(of)), table(send(device, training->values)), threads(with_threads) {}

GramLayout GramLayout::of(Index n, int number_bytes) {
  const Index step = 16 / number_bytes;
  return {n, (n + step - 1) / step * step, number_bytes};
}

GramStore::GramStore(std::shared_ptr<const Device> device, GramLayout layout, std::vector<DeviceGram> grams,
                     std::shared_ptr<const GramSource> source, double room)
    : device_(std::move(device)), layout_(layout), grams_(std::move(grams)), source_(std::move(source)), room_(room) {}

bool GramStore::keeps_all() const { return n_kept() == n_kernels(); }

Index GramStore::n_kept() const {
  return std::ranges::count_if(grams_, [](const DeviceGram& gram) { return gram.values != nullptr; });
}

spicymkl_device_set GramStore::as_set(const std::vector<const void*>& matrices) const {
  return {matrices.data(), std::ssize(matrices), layout_.n, layout_.stride, layout_.number_bytes};
}

std::vector<void*> GramStore::compute(KernelSet set, const DeviceMemory& memory) const {
  std::vector<const FittedKernel*> kernels;
  for (const Index m : set) kernels.push_back(&source_->kernels[m]);
  const std::vector<void*> places = places_in(memory, layout_, std::ssize(set));
  const spicymkl_device_table table{source_->table->numbers<double>(), layout_.n, layout_.n};
  compute_grams(*device_, table, *source_->training, kernels, places, layout_.stride, layout_.number_bytes,
                source_->threads);
  return places;
}

void GramStore::visit(KernelSet set, const WithGrams& work) const {
  const auto at_once = static_cast<Index>(std::max(1.0, room_ / layout_.bytes()));
  std::shared_ptr<const DeviceMemory> memory;
  for (Index first = 0; first < std::ssize(set);) {
    const bool kept = keeps(set[first]);
    Index last = first + 1;
    while (last < std::ssize(set) && keeps(set[last]) == kept && (kept || last - first < at_once)) ++last;
    const KernelSet part = set.subspan(first, last - first);
    std::vector<const void*> matrices;
    if (kept) {
      for (const Index m : part) matrices.push_back(grams_[m].values);
    } else {
      const double bytes = layout_.bytes() * static_cast<double>(std::min(at_once, std::ssize(set) - first));
      if (!memory) memory = std::make_shared<const DeviceMemory>(device_, bytes);
      const std::vector<void*> computed = compute(part, *memory);
      matrices.assign(computed.begin(), computed.end());
    }
    work(first, as_set(matrices));
    first = last;
  }
}

bool GramStore::computes_for_forms(Index kernel) const {
  return !keeps(kernel) && devices_compute(source_->kernels[kernel]);
}

void GramStore::computed_forms(KernelSet set, const double* V, Index width, double* out) const {
  std::vector<KernelRequest> requests;
  for (const Index m : set) requests.emplace_back(source_->kernels[m], *source_->training, nullptr);
  std::vector<spicymkl_device_kernel> ready;
  for (const KernelRequest& request : requests) ready.push_back(request.get());
  const spicymkl_device_table table{source_->table->numbers<double>(), layout_.n, layout_.n};
  device_->check(
      device_->functions().computed_forms(device_->handle(), &table, ready.data(), std::ssize(ready), V, width, out));
}

std::vector<const Vector*> GramStore::diagonals(KernelSet set) const {
  constexpr Index kAtOnce = 256;
  std::vector<Index> missing;
  for (const Index m : set) {
    Vector& diagonal = *grams_[m].diagonal;
    if (diagonal.size() > 0) continue;
    if (keeps(m)) missing.push_back(m);
    else diagonal = source_->kernels[m].training_diagonal(*source_->training);
  }
  for (Index begin = 0; begin < std::ssize(missing); begin += kAtOnce) {
    const KernelSet some(missing.data() + begin, std::min(kAtOnce, std::ssize(missing) - begin));
    visit(some, [&](Index first, const spicymkl_device_set& grams) {
      Matrix fetched(grams.n, grams.count);
      device_->check(device_->functions().diagonals(device_->handle(), &grams, fetched.data()));
      for (Index k = 0; k < grams.count; ++k) *grams_[some[first + k]].diagonal = fetched.col(k);
    });
  }
  std::vector<const Vector*> known;
  for (const Index m : set) known.push_back(grams_[m].diagonal.get());
  return known;
}

GramStore GramStore::subset(const std::vector<Index>& kernels, std::map<Index, DeviceGram>& known) const {
  std::map<Index, DeviceGram> now;
  std::vector<Index> missing;
  for (const Index m : kernels) {
    const auto found = known.find(m);
    if (keeps(m)) now[m] = grams_[m];
    else if (found != known.end()) now.insert(*found);
    else missing.push_back(m);
  }
  if (!missing.empty()) {
    const double bytes = layout_.bytes() * static_cast<double>(missing.size());
    const auto memory = std::make_shared<const DeviceMemory>(device_, bytes);
    compute(missing, *memory);
    const std::vector<DeviceGram> grams = grams_in(memory, layout_, std::ssize(missing));
    for (std::size_t k = 0; k < missing.size(); ++k) now[missing[k]] = grams[k];
  }
  std::vector<DeviceGram> chosen;
  for (const Index m : kernels) chosen.push_back(now.at(m));
  known = std::move(now);
  return {device_, layout_, std::move(chosen), nullptr, room_};
}

GramStore GramStore::on_samples(const std::vector<Index>& rows) const {
  const GramLayout layout = GramLayout::of(std::ssize(rows), layout_.number_bytes);
  const std::vector<std::int64_t> places(rows.begin(), rows.end());
  std::vector<Index> kept;
  for (Index m = 0; m < n_kernels(); ++m)
    if (keeps(m)) kept.push_back(m);
  std::vector<DeviceGram> grams(grams_.size());
  if (!kept.empty()) {
    const auto memory =
        std::make_shared<const DeviceMemory>(device_, layout.bytes() * static_cast<double>(kept.size()));
    const std::vector<void*> out = places_in(*memory, layout, std::ssize(kept));
    visit(kept, [&](Index first, const spicymkl_device_set& set) {
      device_->check(device_->functions().gather(device_->handle(), &set, places.data(), std::ssize(places),
                                                 layout.stride, out.data() + first));
    });
    const std::vector<DeviceGram> cut = grams_in(memory, layout, std::ssize(kept));
    for (std::size_t k = 0; k < kept.size(); ++k) grams[kept[k]] = cut[k];
  }
  std::shared_ptr<const GramSource> source;
  if (source_) {
    std::vector<FittedKernel> kernels;
    for (const FittedKernel& kernel : source_->kernels) kernels.push_back(kernel.on_rows(rows));
    source = std::make_shared<const GramSource>(device_,
                                                std::make_shared<const Samples>(select_rows(*source_->training, rows)),
                                                std::move(kernels), source_->threads);
  }
  return {device_, layout, std::move(grams), std::move(source), room_};
}

GramStore make_gram_store(const std::shared_ptr<const Device>& device, std::shared_ptr<const GramSource> source,
                          int number_bytes, double room, const Watch& watch) {
  const auto n_kernels = std::ssize(source->kernels);
  const GramLayout layout = GramLayout::of(source->training->n_rows(), number_bytes);
  const bool all = layout.bytes() * static_cast<double>(n_kernels) <= room;
  const double kept_room = all ? room : (1 - kSpareShare) * room;
  const auto n_kept = std::min<Index>(n_kernels, static_cast<Index>(kept_room / layout.bytes()));
  const double spare = all ? 0 : std::max(layout.bytes(), kSpareShare * room);
  GramStore nothing(device, layout, std::vector<DeviceGram>(n_kernels), source, spare);
  std::vector<DeviceGram> grams(n_kernels);
  std::map<Index, DeviceGram> known;
  const auto batch = std::max<Index>(1, static_cast<Index>(kBatchBytes / layout.bytes()));
  WatchedTask task(watch, "computing kernels on the device", n_kept);
  for (Index first = 0; first < n_kept; first += batch) {
    watch.check();
    std::vector<Index> some;
    for (Index m = first; m < std::min(first + batch, n_kept); ++m) some.push_back(m);
    known.clear();
    nothing.subset(some, known);
    for (const Index m : some) {
      grams[m] = known.at(m);
      task.advance();
    }
  }
  return {device, layout, std::move(grams), std::move(source), spare};
}

}  // namespace spicymkl
