# Debian's liblinear, which brings BLAS. Its static library is not fit for the Python module, so the shared one serves all.
find_path(LIBLINEAR_INCLUDE linear.h)
find_library(LIBLINEAR_LIBRARY linear)
if(NOT LIBLINEAR_INCLUDE OR NOT LIBLINEAR_LIBRARY)
  message(FATAL_ERROR "liblinear is missing: run scripts/install")
endif()
add_library(liblinear UNKNOWN IMPORTED)
set_target_properties(liblinear PROPERTIES IMPORTED_LOCATION ${LIBLINEAR_LIBRARY})
target_include_directories(liblinear SYSTEM INTERFACE ${LIBLINEAR_INCLUDE})
