# cmake --install: the command with its manual, the library, its headers, and a package that find_package(SpicyMKL) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
# The OpenMP build of OpenBLAS shares its file name with others: the installed program must find the one it was linked with.
set_target_properties(spicymkl spicymkl_cli PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS spicymkl EXPORT SpicyMKLTargets COMPONENT library)
if(SPICYMKL_BASELINES)
  install(TARGETS spicymkl_baselines EXPORT SpicyMKLTargets COMPONENT library)
endif()
install(TARGETS spicymkl_cli COMPONENT command)
install(DIRECTORY include/spicymkl ${CMAKE_CURRENT_BINARY_DIR}/include/spicymkl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT library FILES_MATCHING PATTERN "*.hpp")
# What the packages of other languages include beside that: options by name, decisions, files that appear whole.
set(binding_headers core/closest.hpp core/option_table.hpp io/atomic_file.hpp model/decision.hpp pipeline/given_parameters.hpp
    pipeline/input_notes.hpp pipeline/table_check.hpp pipeline/training_options.hpp selection/grid_edge.hpp
    selection/selection_options.hpp)
foreach(header IN LISTS binding_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spicymkl/bindings/${folder} COMPONENT library)
endforeach()
# For builds without CMake, such as those of R packages.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE prefix_from_pkgconfig)
configure_file(cmake/spicymkl.pc.in spicymkl.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/spicymkl.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/SpicyMKL)
install(EXPORT SpicyMKLTargets NAMESPACE SpicyMKL:: DESTINATION ${package_dir} COMPONENT library)
configure_package_config_file(cmake/SpicyMKLConfig.cmake.in SpicyMKLConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(SpicyMKLConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/SpicyMKLConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/SpicyMKLConfigVersion.cmake
              cmake/FindOpenBLASOpenMP.cmake cmake/FindLIBSVM.cmake cmake/FindClp.cmake DESTINATION ${package_dir} COMPONENT library)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libspicymkl-dev RENAME copyright COMPONENT library)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/spicymkl RENAME copyright COMPONENT command)
install(FILES README.md CHANGELOG.md CITATION.cff src/report/page/chart_licence.txt
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/spicymkl COMPONENT command)
