// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"

#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {

void register_errors(nb::module_& module) {
  static nb::exception<InputError> input(module, "InputError", PyExc_ValueError);
  static nb::exception<ConfigError> config(module, "ConfigError", PyExc_ValueError);
  static nb::exception<Cancelled> cancelled(module, "Cancelled", PyExc_RuntimeError);
  input.attr("__doc__") = "The data is not what was expected: FILE:LINE: column COLUMN: what is wrong.";
  config.attr("__doc__") = "A setting is not allowed: SETTING = VALUE: what is allowed.";
  cancelled.attr("__doc__") = "The work was stopped on request.";
}

}  // namespace hearsay::python
