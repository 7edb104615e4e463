# The plugin for GPUs, libspicymkl_cuda.so: nothing links to it, the library loads it when a device is asked for.
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual CACHE STRING "what GPUs the plugin has code for")
enable_language(CUDA)

file(GLOB SPICYMKL_CUDA_SOURCES CONFIGURE_DEPENDS src/cuda/*.cu)
add_library(spicymkl_cuda MODULE ${SPICYMKL_CUDA_SOURCES})
target_include_directories(spicymkl_cuda PRIVATE src)
target_link_libraries(spicymkl_cuda PRIVATE CUDA::cudart_static CUDA::cublas CUDA::cusolver)
set_target_properties(spicymkl_cuda PROPERTIES CUDA_STANDARD 17 CUDA_VISIBILITY_PRESET hidden
                      CUDA_RUNTIME_LIBRARY Static BUILD_RPATH "$ORIGIN;${CUDAToolkit_LIBRARY_DIR}"
                      INSTALL_RPATH "$ORIGIN;${CUDAToolkit_LIBRARY_DIR}")
include(GNUInstallDirs)
install(TARGETS spicymkl_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/spicymkl)
