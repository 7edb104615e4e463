# cmake --install: the command, the library, its headers, and a package that find_package(SpicyMKL) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS spicymkl EXPORT SpicyMKLTargets)
install(TARGETS spicymkl_cli)
install(DIRECTORY include/spicymkl ${CMAKE_CURRENT_BINARY_DIR}/include/spicymkl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/SpicyMKL)
install(EXPORT SpicyMKLTargets NAMESPACE SpicyMKL:: DESTINATION ${package_dir})
configure_package_config_file(cmake/SpicyMKLConfig.cmake.in SpicyMKLConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(SpicyMKLConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/SpicyMKLConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/SpicyMKLConfigVersion.cmake
              cmake/FindOpenBLASOpenMP.cmake DESTINATION ${package_dir})
