# Debian packages by CPack: spicymkl with the command, libspicymkl-dev with the library and its headers, and, where they
# are built, one for each language: octave-spicymkl, r-cran-spicymkl.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spicymkl)
set(CPACK_PACKAGE_VENDOR SpicyMKL)
set(CPACK_PACKAGE_CONTACT "SpicyMKL developers <spicymkl@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "multiple kernel learning with proof")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL command library)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME spicymkl)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
# The program finds the OpenMP build of OpenBLAS by its folder: no other build will do.
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS libopenblas0-openmp)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
    "Learns, from labelled samples and up to many thousands of candidate kernels, a predictor and the weight of every
 kernel. Every answer carries a certificate of its duality gap. This package has the command.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libspicymkl-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libeigen3-dev, libopenblas-openmp-dev, libfmt-dev, nlohmann-json3-dev, zlib1g-dev")
if(SPICYMKL_BASELINES)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libsvm-dev, coinor-libclp-dev")
endif()
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Multiple kernel learning: the C++ library, its headers and its CMake package.")

if(SPICYMKL_BUILD_OCTAVE)
  list(APPEND CPACK_COMPONENTS_ALL octave)
  set(CPACK_DEBIAN_OCTAVE_PACKAGE_NAME octave-spicymkl)
  set(CPACK_DEBIAN_OCTAVE_PACKAGE_SECTION math)
  set(CPACK_DEBIAN_OCTAVE_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_OCTAVE_PACKAGE_DEPENDS octave)
  set(CPACK_COMPONENT_OCTAVE_DESCRIPTION
      "Multiple kernel learning: the functions for Octave. Scripts written for the SpicyMKL program of Suzuki and Tomioka
 run unchanged.")
endif()
if(SPICYMKL_BUILD_R)
  list(APPEND CPACK_COMPONENTS_ALL r)
  set(CPACK_DEBIAN_R_PACKAGE_NAME r-cran-spicymkl)
  set(CPACK_DEBIAN_R_PACKAGE_SECTION gnu-r)
  set(CPACK_DEBIAN_R_PACKAGE_SHLIBDEPS ON)
  # The interface of R that packages are compiled for has a name of its own.
  set(CPACK_DEBIAN_R_PACKAGE_DEPENDS "r-base-core, r-api-4.0, r-cran-rcpp")
  set(CPACK_COMPONENT_R_DESCRIPTION
      "Multiple kernel learning: the package spicymkl for R, in the manner of glmnet and its kin. The library is part of it.")
endif()
include(CPack)
