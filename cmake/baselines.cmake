# The wrapper methods, a library of their own: LIBSVM and Clp are needed by nothing else.
find_package(LIBSVM REQUIRED)
find_package(Clp REQUIRED)
file(GLOB SPICYMKL_BASELINE_SOURCES CONFIGURE_DEPENDS src/baseline/*.cpp)
add_library(spicymkl_baselines ${SPICYMKL_BASELINE_SOURCES})
add_library(SpicyMKL::spicymkl_baselines ALIAS spicymkl_baselines)
spicymkl_compile_by_folder(spicymkl_baselines)
target_include_directories(spicymkl_baselines PRIVATE src)
target_link_libraries(spicymkl_baselines PUBLIC spicymkl PRIVATE OpenBLAS::OpenBLAS fmt::fmt LIBSVM::LIBSVM Clp::Clp)
target_compile_options(spicymkl_baselines PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
# Programs of this project offer them where they are linked.
target_compile_definitions(spicymkl_baselines INTERFACE SPICYMKL_BASELINES)
