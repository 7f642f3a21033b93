# hearsay_stage(NAME DEPENDS...): one folder of src/ as one target. Every *.cc but the tests is compiled into
# hearsay_NAME; every *_test.cc becomes a test program that links it.
function(hearsay_stage NAME)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  add_library(hearsay_${NAME} STATIC ${sources})
  target_include_directories(hearsay_${NAME} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:include> $<INSTALL_INTERFACE:include/hearsay/stages>)
  foreach(library ${ARGN})
    # Headers alone, and none that an installed header shows.
    if(library MATCHES "^(nlohmann_json|Boost|lemon)::")
      set(library $<BUILD_INTERFACE:${library}>)
    endif()
    target_link_libraries(hearsay_${NAME} PUBLIC ${library})
  endforeach()
  set_target_properties(hearsay_${NAME} PROPERTIES EXPORT_NAME ${NAME})
  set_property(GLOBAL APPEND PROPERTY HEARSAY_STAGES hearsay_${NAME})
  if(tests AND HEARSAY_TESTS)
    hearsay_test(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE hearsay_${NAME})
  endif()
endfunction()

# hearsay_test(NAME SOURCES...): a test program. Its tests run in `make test`, except those of suites called *LongTest, which
# run in `make test-long`. The sources of tests are optimized a little only, because they take longer to compile than to run.
# Tests that share something costly go TOGETHER in one process: hearsay_test(NAME TOGETHER SOURCES...).
function(hearsay_test NAME)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "TOGETHER" "" "")
  add_executable(${NAME} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${NAME} PRIVATE GTest::gtest_main GTest::gmock)
  target_compile_options(${NAME} PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(TEST_TOGETHER)
    add_test(NAME ${NAME} COMMAND ${NAME})
    set_tests_properties(${NAME} PROPERTIES TIMEOUT 600)
    return()
  endif()
  gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120 TEST_FILTER "-*LongTest.*" PROPERTIES TIMEOUT 600)
  gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120 TEST_FILTER "*LongTest.*" TEST_LIST ${NAME}_LONG_TESTS
    PROPERTIES TIMEOUT 1800 LABELS long)
endfunction()

# hearsay_entries(STAGE TYPE SUFFIX): adds to hearsay_STAGE a generated all_TYPEs() that lists the entry of every
# *_SUFFIX.cc file in the folder; file x_SUFFIX.cc exports `extern const Entry x_SUFFIX;`. A static library would
# drop entries that register themselves.
function(hearsay_entries STAGE ENTRY SUFFIX)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${STAGE}/*_${SUFFIX}.cc)
  list(SORT files)
  set(declarations "")
  set(names "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    string(APPEND declarations "extern const ${ENTRY} ${name};\n")
    string(APPEND names "&${name}, ")
  endforeach()
  set(output ${PROJECT_BINARY_DIR}/generated/${STAGE}_${SUFFIX}_entries.cc)
  file(CONFIGURE OUTPUT ${output} CONTENT
"// Generated from the file names in src/@STAGE@.
#include \"@STAGE@/@SUFFIX@.h\"

namespace hearsay::@STAGE@ {
@declarations@
const std::vector<const @ENTRY@*>& all_@SUFFIX@s() {
  static const std::vector<const @ENTRY@*> entries = sorted_entries<@ENTRY@>({@names@});
  return entries;
}
}  // namespace hearsay::@STAGE@
" @ONLY)
  target_sources(hearsay_${STAGE} PRIVATE ${output})
endfunction()
