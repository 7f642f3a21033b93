// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "experiment/study.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  fuzz::expect_answer([&] {
    const experiment::Study study = experiment::parse_study(fuzz::text_of(data, size), "study.toml", "data", {});
    if (study.adversary.attacks.empty() || study.data.observe == 0 || study.data.observe >= study.data.period.epochs)
      std::abort();
    // What is written into the manifest is the same study.
    const experiment::Study again = experiment::parse_study(study.as_run, "study.toml", "data", {});
    if (again.as_run != study.as_run || again.defences.size() != study.defences.size()) std::abort();
  });
  return 0;
}
