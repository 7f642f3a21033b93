// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "job/run_study.h"

namespace hearsay::python {

// What a study found, as Python takes it.
inline nanobind::dict dict_of(const job::Outcome& outcome) {
  nanobind::dict found;
  found["folder"] = outcome.folder;
  found["findings"] = outcome.findings;
  found["warnings"] = outcome.provenance.warnings;
  found["seconds"] = outcome.seconds;
  return found;
}

}  // namespace hearsay::python
