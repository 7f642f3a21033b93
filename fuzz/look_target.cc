// SPDX-License-Identifier: Apache-2.0
//
// Whatever a file is, looking at it ends in a study that can be read, a problem in words, or a refusal.
#include <cstdlib>

#include "experiment/study.h"
#include "look/study_text.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  const std::string path = fuzz::folder() + "/look.csv";
  fuzz::write_file(path, fuzz::text_of(data, size));
  fuzz::expect_answer([&] {
    ingest::Options options;
    options.memory_bytes = std::uint64_t{256} << 20;
    options.temp_directory = fuzz::folder();
    const look::Sight sight = look::look_at({path}, options);
    if (look::sight_text(sight, 80).empty() || look::sight_json(sight).empty()) std::abort();
    if (!sight.problem.empty()) return;
    const experiment::Study study =
        experiment::parse_study(look::study_text(sight, fuzz::folder()), "guessed", fuzz::folder(), {});
    if (study.data.source.paths != std::vector<std::string>{path}) std::abort();
  });
  return 0;
}
