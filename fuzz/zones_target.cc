// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "ingest/zone_map.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  const std::string path = fuzz::folder() + "/zones.geojson";
  fuzz::write_file(path, fuzz::text_of(data, size));
  fuzz::expect_answer([&] {
    const ingest::ZoneMap map(ingest::Zones{path});
    for (std::int64_t lat = -900'000'000; lat <= 900'000'000; lat += 50'000'000) {
      for (std::int64_t lng = -1'800'000'000; lng <= 1'800'000'000; lng += 50'000'000) {
        const auto zone = map.find(lat, lng);
        if (zone && *zone >= map.rois().size()) std::abort();
      }
    }
  });
  return 0;
}
