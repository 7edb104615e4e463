# The tarball for `pkg install`: cmake -DVERSION=… -DOUTPUT=… -P package.cmake makes OUTPUT/spicymkl-octave-VERSION.tar.gz.
# It is complete: the functions, and the sources of the library, from which the MEX file is compiled.
set(source ${CMAKE_CURRENT_LIST_DIR})
set(root ${source}/..)
set(name spicymkl-octave-${VERSION})
set(folder ${OUTPUT}/${name})
string(TIMESTAMP SPICYMKL_DATE %Y-%m-%d UTC)
set(PROJECT_VERSION ${VERSION})

file(REMOVE_RECURSE ${folder})
configure_file(${source}/DESCRIPTION.in ${folder}/DESCRIPTION @ONLY)
configure_file(${root}/LICENSE ${folder}/COPYING COPYONLY)
file(COPY ${source}/INDEX ${source}/inst DESTINATION ${folder})
file(COPY ${source}/src/Makefile DESTINATION ${folder}/src)
file(COPY ${root}/CMakeLists.txt ${root}/cmake ${root}/include ${root}/src DESTINATION ${folder}/library)
file(COPY ${source}/CMakeLists.txt ${source}/src ${source}/inst DESTINATION ${folder}/library/octave)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${name}.tar.gz --format=gnutar ${name} WORKING_DIRECTORY ${OUTPUT}
                COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${folder})
message(STATUS "${OUTPUT}/${name}.tar.gz")
