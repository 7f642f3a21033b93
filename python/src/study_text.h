// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "experiment/study.h"
#include "interruptible.h"

namespace hearsay::python {

struct Data;

// A study as Python holds it: text, where it stands, and the classes it may name besides the built-in entries.
struct StudyText {
  std::string toml;
  std::string name;
  std::string folder;
  std::vector<std::string> overrides;
  nanobind::list own;
  std::vector<std::string> deprecated = {};

  // With `data`, read before: about that.
  experiment::Study parse(const std::shared_ptr<Job>& job, const Data* data = nullptr) const;
};

}  // namespace hearsay::python
