// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "ingest/roi_list.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  // One database for all: opening one costs more than reading a list.
  static storage::Database database({1, std::uint64_t{256} << 20, fuzz::folder()});
  const std::string path = fuzz::folder() + "/list.csv";
  fuzz::write_file(path, fuzz::text_of(data, size));
  fuzz::expect_answer([&] {
    for (const ingest::Roi& roi : ingest::read_roi_list(database, {path})) {
      if (roi.id.empty()) std::abort();
      if (roi.lat && !(*roi.lat >= -90 && *roi.lat <= 90)) std::abort();
      if (roi.lng && !(*roi.lng >= -180 && *roi.lng <= 180)) std::abort();
    }
  });
  return 0;
}
