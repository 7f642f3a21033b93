// SPDX-License-Identifier: Apache-2.0
//
// Archives and tracks: the name goes by the first byte, which is no part of the file.
#include "support.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearsay;
  if (size == 0) return 0;
  const bool track = data[0] == 'g';
  const std::string path = fuzz::folder() + (track ? "/input.gpx" : "/input.csv");
  fuzz::write_file(path, fuzz::text_of(data + 1, size - 1));
  ingest::Source source;
  source.paths = {path};
  source.timezone = "Europe/London";
  source.bad_rows = ingest::BadRows::kSkip;
  if (track) source.user = {ingest::UserRule::From::kFile, 1};
  const ingest::Period period{"2010-03-01 00:00:00", 3600, 48};
  ingest::Options options;
  options.temp_directory = fuzz::folder();
  options.memory_bytes = std::uint64_t{256} << 20;
  fuzz::expect_answer([&] {
    fuzz::expect_sound(ingest::read_visits(source, ingest::Grid{0, 2, 0, 2, 2, 2}, period, options), source, period);
  });
  return 0;
}
