// SPDX-License-Identifier: Apache-2.0
//
// How Python copies objects that never change, and how it says that one cannot be pickled.
#pragma once

#include <nanobind/nanobind.h>

namespace hearsay::python {

// Makes a copy of the object the object itself, as Python does with text and tuples.
template <typename Class>
void copy_as_itself(Class& type) {
  type.def("__copy__", [](nanobind::object self) { return self; });
  type.def(
      "__deepcopy__", [](nanobind::object self, const nanobind::object&) { return self; }, nanobind::arg("memo"));
}

// Makes pickling raise TypeError with this sentence, which says what to do.
template <typename Class>
void refuse_pickling(Class& type, const char* sentence) {
  type.def("__reduce__",
           [sentence](const nanobind::object&) -> nanobind::object { throw nanobind::type_error(sentence); });
}

}  // namespace hearsay::python
