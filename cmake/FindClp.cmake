# Clp, the linear programming solver of COIN-OR, with the utilities it is built on.
find_path(Clp_INCLUDE_DIR coin/ClpSimplex.hpp)
find_library(Clp_LIBRARY Clp)
find_library(Clp_CoinUtils_LIBRARY CoinUtils)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Clp REQUIRED_VARS Clp_LIBRARY Clp_CoinUtils_LIBRARY Clp_INCLUDE_DIR)
if(Clp_FOUND AND NOT TARGET Clp::Clp)
  add_library(Clp::Clp UNKNOWN IMPORTED)
  # Its headers include one another without the folder's name.
  set_target_properties(Clp::Clp PROPERTIES IMPORTED_LOCATION "${Clp_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${Clp_INCLUDE_DIR};${Clp_INCLUDE_DIR}/coin"
                                            INTERFACE_LINK_LIBRARIES "${Clp_CoinUtils_LIBRARY}")
endif()
