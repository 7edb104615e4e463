# spicymkl-mpi, one fit over many machines: built where MPI is found, and nothing else depends on it.
option(SPICYMKL_MPI "Build spicymkl-mpi where MPI is found" ON)
if(NOT SPICYMKL_MPI)
  return()
endif()
# The C interface will do, which a C++ compiler reads as well.
enable_language(C)
find_package(MPI QUIET COMPONENTS C)
if(NOT MPI_C_FOUND)
  return()
endif()
file(GLOB SPICYMKL_MPI_SOURCES CONFIGURE_DEPENDS src/mpi/*.cpp)
add_executable(spicymkl_mpi ${SPICYMKL_MPI_SOURCES})
set_target_properties(spicymkl_mpi PROPERTIES OUTPUT_NAME spicymkl-mpi INSTALL_RPATH_USE_LINK_PATH ON)
# MPI's own C++ interface, which is gone from the standard, is left out.
target_compile_definitions(spicymkl_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(spicymkl_mpi PRIVATE spicymkl_command MPI::MPI_C)
install(TARGETS spicymkl_mpi COMPONENT mpi)
target_compile_options(spicymkl_mpi PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
