# OpenBLAS built with OpenMP: every thread says for itself how many threads its calls may use, and those of our loops say
# one. Debian installs it beside other builds under openblas-openmp/; elsewhere the plain library is taken.
find_path(OpenBLASOpenMP_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-openmp x86_64-linux-gnu/openblas-openmp
                                                           aarch64-linux-gnu/openblas-openmp openblas)
find_library(OpenBLASOpenMP_LIBRARY openblas PATH_SUFFIXES openblas-openmp x86_64-linux-gnu/openblas-openmp
                                                           aarch64-linux-gnu/openblas-openmp NO_CMAKE_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLASOpenMP REQUIRED_VARS OpenBLASOpenMP_LIBRARY OpenBLASOpenMP_INCLUDE_DIR)
if(OpenBLASOpenMP_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES IMPORTED_LOCATION "${OpenBLASOpenMP_LIBRARY}"
                                                      INTERFACE_INCLUDE_DIRECTORIES "${OpenBLASOpenMP_INCLUDE_DIR}")
endif()
