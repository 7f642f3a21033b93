// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/stage_clock.h"
#include "cluster/driver.h"
#include "engine/loading.h"
#include "job/run_study.h"

namespace hearsay::cluster {

// A study over shares from the first pass to the folder of results, which is the one that one machine writes.
class ClusterStudy {
 public:
  // `provenance`: of the events, as they were placed. Throws ConfigError where results may not go to options.out.
  ClusterStudy(DriverSettings settings, engine::Provenance provenance, job::RunOptions options);

  const Told* next();
  void take(std::string_view key, std::string_view value) { driver_.take(key, value); }
  // After the last pass.
  job::Outcome write();

 private:
  Driver driver_;
  engine::Provenance provenance_;
  job::RunOptions options_;
  std::string target_;
  StageClock clock_;
};

}  // namespace hearsay::cluster
