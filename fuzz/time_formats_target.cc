// SPDX-License-Identifier: Apache-2.0
//
// The first line is a pattern of times, the others are times: whatever they are, reading answers. Without a pattern
// (an empty line) the common ones are tried; what they find, said aloud, reads the same.
#include <cstdlib>
#include <sstream>

#include "ingest/time_pattern.h"
#include "support.h"

namespace {

using namespace hearsay;

ingest::Source source_of(const std::string& path, const std::string& pattern) {
  ingest::Source source;
  source.paths = {path};
  source.timezone = "Europe/London";
  source.bad_rows = ingest::BadRows::kSkip;
  if (pattern.empty()) return source;
  source.time_format = ingest::TimeFormat::kPatterns;
  source.time_patterns = {pattern};
  return source;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const std::size_t end = text.find('\n');
  const std::string pattern = text.substr(0, end);
  std::string rows =
      "uid\x02roi\x02"
      "datetime\n";
  std::istringstream times(end == std::string::npos ? "" : text.substr(end + 1));
  for (std::string time; std::getline(times, time);) rows += "u\x02r\x02" + time + "\n";
  const std::string path = fuzz::folder() + "/times.csv";
  fuzz::write_file(path, rows);
  const ingest::Period period{"2010-03-01 00:00:00", 3600, 48};
  ingest::Options options;
  options.temp_directory = fuzz::folder();
  options.memory_bytes = std::uint64_t{256} << 20;
  fuzz::expect_answer([&] {
    ingest::Source source = source_of(path, pattern);
    source.text.separator = '\x02';
    const ingest::Visits visits = ingest::read_visits(source, ingest::RoiIds{}, period, options);
    fuzz::expect_sound(visits, source, period);
    if (!pattern.empty() && !ingest::pattern_problem(pattern).empty()) std::abort();
  });
  return 0;
}
