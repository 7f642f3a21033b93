// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "engine/engine.h"
#include "experiment/study.h"

namespace hearsay::python {

// A data set in memory, and the settings it was read with.
struct Data {
  Data(experiment::Study read_with, engine::Loaded loaded)
      : settings(std::move(read_with)), engine(std::move(loaded)) {}

  experiment::Study settings;
  engine::Engine engine;

  const engine::Loaded& loaded() const { return engine.loaded(); }
  const dataset::Dataset& dataset() const { return loaded().dataset; }
};

}  // namespace hearsay::python
