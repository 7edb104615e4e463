# Installs the build into a temporary folder, then configures, builds and runs the programs beside this file against it.
set(prefix ${BUILD_DIR}/install-test/prefix)
set(consumer ${BUILD_DIR}/install-test/consumer)
file(REMOVE_RECURSE ${BUILD_DIR}/install-test)
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${consumer} -G Ninja -DCMAKE_PREFIX_PATH=${prefix}
    "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
run(${CMAKE_COMMAND} --build ${consumer})
run(${consumer}/consumer)
run(${consumer}/extensions)
run(${prefix}/bin/spicymkl --version)
