# Whole folders are compiled as one unit: Eigen, JSON and CLI11 are then read and instantiated once per folder instead of
# once per file, which makes a build from nothing several times quicker. Files of a folder share their unnamed namespace.
option(SPICYMKL_UNITY "Compile each folder as one unit" ON)

function(spicymkl_compile_by_folder target)
  if(NOT SPICYMKL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
