# `cmake --install`: the components `program`, and `library` for find_package(hearsay). Of the headers those that hearsay.h
# reaches.
include(CMakePackageConfigHelpers)
add_library(hearsay_library INTERFACE)
set_target_properties(hearsay_library PROPERTIES EXPORT_NAME hearsay)
target_link_libraries(hearsay_library INTERFACE hearsay_job)
get_property(stages GLOBAL PROPERTY HEARSAY_STAGES)
list(REMOVE_ITEM stages hearsay_cluster)  # of the Python package alone: `make build` does not make it

set(open ${PROJECT_SOURCE_DIR}/include/hearsay/hearsay.h)
set(reached "")
while(open)
  list(POP_FRONT open header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} includes REGEX "^#include \"")
  foreach(include ${includes})
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" include "${include}")
    if(NOT include IN_LIST reached)
      list(APPEND reached ${include})
      list(APPEND open ${PROJECT_SOURCE_DIR}/src/${include})
      get_filename_component(folder ${include} DIRECTORY)
      install(FILES ${PROJECT_SOURCE_DIR}/src/${include} DESTINATION include/hearsay/stages/${folder}
        COMPONENT library)
    endif()
  endforeach()
endwhile()

install(FILES ${PROJECT_SOURCE_DIR}/include/hearsay/hearsay.h DESTINATION include/hearsay COMPONENT library)
install(TARGETS hearsay RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS ${stages} hearsay_library EXPORT hearsay ARCHIVE DESTINATION lib/hearsay COMPONENT library)
foreach(component program library)
  install(FILES ${DUCKDB_DIR}/libduckdb.so DESTINATION lib/hearsay COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md DESTINATION share/doc/hearsay
    COMPONENT ${component})
endforeach()
install(EXPORT hearsay NAMESPACE hearsay:: FILE hearsay-targets.cmake DESTINATION lib/cmake/hearsay COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/hearsay-config.cmake.in
  ${PROJECT_BINARY_DIR}/hearsay-config.cmake INSTALL_DESTINATION lib/cmake/hearsay)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hearsay-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hearsay-config.cmake ${PROJECT_BINARY_DIR}/hearsay-config-version.cmake
  DESTINATION lib/cmake/hearsay COMPONENT library)

# The archive and the Debian package, of the folder that scripts/dist makes: what is installed, and what it needs besides.
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "What published location counts give away about the individuals behind them")
set(CPACK_PACKAGE_CONTACT "The authors of Hearsay")
set(CPACK_INSTALL_CMAKE_PROJECTS "")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/dist)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_SYSTEM_NAME ${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Of Debian 12 or later, or as new elsewhere: what every installation has. All else comes along.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1")
include(CPack)
