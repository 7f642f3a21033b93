# Debian's LEMON. Headers alone: what its library holds is not used.
find_path(LEMON_INCLUDE lemon/network_simplex.h)
if(NOT LEMON_INCLUDE)
  message(FATAL_ERROR "LEMON is missing: run scripts/install")
endif()
add_library(lemon::headers INTERFACE IMPORTED)
target_include_directories(lemon::headers SYSTEM INTERFACE ${LEMON_INCLUDE})
target_compile_definitions(lemon::headers INTERFACE LEMON_ONLY_TEMPLATES)
