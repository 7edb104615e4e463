#include "recipe.hpp"

namespace spicymkl {

void put(const Samples& samples, Writer& out) {
  out.put(samples.columns);
  out.put(samples.values);
  out.put(samples.categorical);
  out.put(samples.views.names);
  out.put(samples.views.of_column);
  out.put(samples.views.missing);
  out.put(samples.views.present);
}

Samples samples_from(Reader& in) {
  Samples samples;
  samples.columns = in.texts();
  samples.values = in.matrix();
  samples.categorical = in.flags();
  samples.views.names = in.texts();
  samples.views.of_column = in.indices();
  samples.views.missing = in.get<MissingView>();
  samples.views.present = in.matrix();
  return samples;
}

namespace {

void put_features(const FeatureSpec& spec, Writer& out) {
  out.put(spec.kind);
  out.put(spec.rank);
  out.put(spec.tolerance);
  out.put(spec.seed);
}

FeatureSpec features_from(Reader& in) {
  FeatureSpec spec;
  spec.kind = in.get<FeatureKind>();
  spec.rank = in.get<Index>();
  spec.tolerance = in.get<double>();
  spec.seed = in.get<std::uint64_t>();
  return spec;
}

}  // namespace

void put(const FittedKernel& kernel, Writer& out) {
  const KernelSpec& spec = kernel.spec();
  out.put(spec.type);
  out.put(spec.parameters);
  out.put(spec.columns);
  out.put(spec.normalize);
  out.put(spec.jitter);
  out.put(spec.name);
  out.put(spec.group);
  put_features(spec.features, out);
  const Normalization& fitted = kernel.normalization();
  out.put(fitted.kind);
  out.put(fitted.trace);
  out.put(fitted.row_means);
  out.put(fitted.grand_mean);
  out.put(kernel.has_features());
  if (!kernel.has_features()) return;
  const FeatureConstants& features = kernel.features().constants();
  out.put(features.points);
  out.put(features.whitening);
  out.put(features.offset);
  out.put(features.missing);
}

FittedKernel kernel_from(Reader& in) {
  KernelSpec spec;
  spec.type = in.text();
  spec.parameters = in.values();
  spec.columns = in.indices();
  spec.normalize = in.get<Normalize>();
  spec.jitter = in.get<double>();
  spec.name = in.text();
  spec.group = in.text();
  spec.features = features_from(in);
  Normalization fitted;
  fitted.kind = in.get<Normalize>();
  fitted.trace = in.get<double>();
  fitted.row_means = in.vector();
  fitted.grand_mean = in.get<double>();
  if (!in.get<bool>()) return {std::move(spec), std::move(fitted)};
  FeatureConstants features;
  features.points = in.matrix();
  features.whitening = in.matrix();
  features.offset = in.vector();
  features.missing = in.get<double>();
  return {std::move(spec), std::move(fitted), std::move(features)};
}

void put(const KernelOutline& outline, Writer& out) {
  for (const Index number : {outline.n_columns, outline.family, outline.rank, outline.n_raw}) out.put(number);
  out.put(outline.tried);
  out.put(outline.given);
}

KernelOutline outline_from(Reader& in) {
  KernelOutline outline;
  for (Index* number : {&outline.n_columns, &outline.family, &outline.rank, &outline.n_raw}) *number = in.get<Index>();
  outline.tried = in.get<bool>();
  outline.given = in.get<bool>();
  return outline;
}

}  // namespace spicymkl
