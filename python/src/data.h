// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "experiment/study.h"
#include "report/loading.h"

namespace hearsay::python {

// A data set in memory, and the settings it was read with.
struct Data {
  experiment::Study settings;
  report::Loaded loaded;

  const dataset::Dataset& dataset() const { return loaded.dataset; }
};

}  // namespace hearsay::python
