// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "experiment/study.h"
#include "interruptible.h"

namespace hearsay::python {

// A study as Python holds it: text, where it stands, and the classes it may name besides the built-in entries.
struct StudyText {
  std::string toml;
  std::string name;
  std::string folder;
  std::vector<std::string> overrides;
  nanobind::list own;

  experiment::Study parse(const std::shared_ptr<Job>& job) const;
};

}  // namespace hearsay::python
