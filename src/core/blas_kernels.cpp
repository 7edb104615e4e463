#include "blas_kernels.hpp"

#include <cblas.h>

#include <cstdlib>
#include <string_view>

#include "simd.hpp"

#if defined(SPICYMKL_SIMD_DISPATCH)

// Of OpenBLAS with kernels for several processors; null in one that has been built for one. They are what it calls
// itself when it is loaded and unloaded.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace spicymkl {

namespace {

constexpr const char* kChoice = "OPENBLAS_CORETYPE";

/// What OpenBLAS falls back to: no processor with AVX2 is one of these.
bool fell_back() {
  const std::string_view core = openblas_get_corename();
  return core == "Prescott" || core == "Generic";
}

const char* fitting_core() {
  switch (simd_level()) {
    case SimdLevel::avx512:
      return "SkylakeX";
    case SimdLevel::avx2:
      return "Haswell";
    case SimdLevel::baseline:
      break;
  }
  return nullptr;
}

}  // namespace

void choose_blas_kernels() {
  const char* core = fitting_core();
  if (core == nullptr || gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  if (std::getenv(kChoice) != nullptr || !fell_back() || ::setenv(kChoice, core, 0) != 0) return;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(kChoice);
}

}  // namespace spicymkl

#else

namespace spicymkl {

void choose_blas_kernels() {}

}  // namespace spicymkl

#endif
