# The R package, in the folder r of the build: a library folder for R_LIBS. R compiles it as it does for users, against an
# installed copy of the library.
find_program(R_PROGRAM R REQUIRED)
option(SPICYMKL_R_TARBALL "Make the source package of R too, with its vignette" OFF)
file(GLOB_RECURSE SPICYMKL_R_FILES CONFIGURE_DEPENDS r/*)
set(SPICYMKL_R_LIBRARIES spicymkl)
if(SPICYMKL_BASELINES)  # an installed library has them
  list(APPEND SPICYMKL_R_LIBRARIES spicymkl_baselines)
endif()
set(SPICYMKL_R_STAMP ${CMAKE_BINARY_DIR}/r/built)
add_custom_command(OUTPUT ${SPICYMKL_R_STAMP}
                   COMMAND ${CMAKE_COMMAND} -E env "COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
                           ${CMAKE_CURRENT_SOURCE_DIR}/tools/build_r.sh ${CMAKE_CURRENT_SOURCE_DIR}/r ${CMAKE_BINARY_DIR}
                           $<$<BOOL:${SPICYMKL_R_TARBALL}>:tarball>
                   COMMAND ${CMAKE_COMMAND} -E touch ${SPICYMKL_R_STAMP}
                   DEPENDS ${SPICYMKL_R_LIBRARIES} ${SPICYMKL_R_FILES} tools/build_r.sh
                   COMMENT "Building the R package" VERBATIM COMMAND_EXPAND_LISTS)
add_custom_target(spicymkl_r ALL DEPENDS ${SPICYMKL_R_STAMP})

# For the Debian package: where the R of the system looks for packages of Debian.
install(DIRECTORY ${CMAKE_BINARY_DIR}/r/spicymkl DESTINATION lib/R/site-library COMPONENT r EXCLUDE_FROM_ALL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/r-cran-spicymkl RENAME copyright COMPONENT r EXCLUDE_FROM_ALL)
