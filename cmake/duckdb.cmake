# The DuckDB library that scripts/install put into .deps, copied beside the binary so that a build folder stands alone.
set(DUCKDB_DIR ${PROJECT_SOURCE_DIR}/.deps/duckdb-1.4.4)
if(NOT EXISTS ${DUCKDB_DIR}/libduckdb.so)
  message(FATAL_ERROR "DuckDB is missing: run scripts/install")
endif()
file(COPY ${DUCKDB_DIR}/libduckdb.so DESTINATION ${PROJECT_BINARY_DIR})
add_library(duckdb SHARED IMPORTED)
set_target_properties(duckdb PROPERTIES
  IMPORTED_LOCATION ${PROJECT_BINARY_DIR}/libduckdb.so
  IMPORTED_NO_SONAME TRUE)
target_include_directories(duckdb SYSTEM INTERFACE ${DUCKDB_DIR})
