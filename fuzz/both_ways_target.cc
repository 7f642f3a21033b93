// SPDX-License-Identifier: Apache-2.0
//
// The same bytes through the quick way, which parses ordinary lines itself, and through DuckDB's own parsing: the
// visits, or the refusal, must be the same. The first byte chooses the format, the second how times are read and
// whether lines that are not ordinary are left out (one of them sends the whole file the careful way); the rest are
// rows.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <iostream>

#include "base/errors.h"
#include "ingest/line_parser.h"
#include "support.h"

namespace {

using namespace hearsay::ingest;
using hearsay::storage::FileKind;
using hearsay::storage::Layout;

struct Kind {
  const char* name;
  const char* header;
  Format format;
  std::vector<const char*> columns;
  bool by_grid() const { return format == Format::kCabs || columns[1] == std::string_view("lat"); }
};

const std::array<Kind, 4> kKinds = {
    {{"events.csv", "uid,lat,lng,datetime\n", Format::kEvents, {"uid", "lat", "lng", "datetime"}},
     {"events.csv", "uid,roi,datetime\n", Format::kEvents, {"uid", "roi", "datetime"}},
     {"trips.csv",
      "uid,start_time,start_roi,end_time,end_roi\n",
      Format::kTrips,
      {"uid", "start_time", "start_roi", "end_time", "end_roi"}},
     {"new_a.txt", "", Format::kCabs, {"lat", "lng", "occupied", "datetime"}}}};
constexpr std::array<TimeFormat, 4> kTimes = {TimeFormat::kAuto, TimeFormat::kIso, TimeFormat::kUnixSeconds,
                                              TimeFormat::kUnixMilliseconds};

// The lines that the parser takes.
std::string ordinary_lines(std::string_view text, const Kind& kind, TimeFormat time_format) {
  Layout layout = cab_layout();
  Fields fields{kind.format, kind.by_grid(), time_format, {}};
  if (kind.format != Format::kCabs) layout = {FileKind::kDelimited, ',', true, true, {}};
  layout.columns.clear();
  for (std::size_t i = 0; i < kind.columns.size(); ++i) {
    layout.columns.push_back({kind.columns[i]});
    if (kind.columns[i] != std::string_view("occupied")) fields.columns[kind.columns[i]] = i;
  }
  static const Grid kGrid{-2, 2, -2, 2, 4, 4};
  Placing placing;
  placing.period = check_period({"2010-03-01 00:00:00", 3600, 48});
  placing.shifts = {{0, 0}};
  if (fields.by_grid) placing.grid = &kGrid, placing.box = check_grid(kGrid);
  VisitSink sink(placing, 1);
  LineParser parser(layout, fields);
  std::string taken;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (parser.parse(line, "a", sink.collector())) taken.append(line) += '\n';
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return taken;
}

// Everything that came of a read, as text.
std::string told(const Visits& visits) {
  const Tally& tally = visits.tally;
  std::string text = fmt::format("{} rows, {} events, {} used, {} outside the period, {} outside; {} to {}\n",
                                 tally.rows, tally.events, tally.used, tally.outside_period, tally.outside_rois,
                                 visits.first_event, visits.last_event);
  for (const auto& [reason, count] : tally.bad_rows) text += fmt::format("{}: {}\n", reason, count);
  for (const std::string& warning : visits.warnings) text += warning + "\n";
  for (const Visit& visit : visits.visits.all()) {
    text += fmt::format("{} {} {}\n", visit.epoch, visits.users[visit.user], visits.rois[visit.roi].id);
  }
  return text;
}

std::string outcome(const Source& source, const RoiRule& rois, Options options, bool careful) {
  options.careful = careful;
  try {
    return told(read_visits(source, rois, {"2010-03-01 00:00:00", 3600, 48}, options));
  } catch (const hearsay::InputError& error) {
    return error.what();
  } catch (const hearsay::ConfigError& error) {
    return error.what();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string folder = hearsay::fuzz::folder();
  const Kind& kind = kKinds[data[0] % kKinds.size()];
  const TimeFormat time_format =
      kind.format == Format::kCabs ? TimeFormat::kUnixSeconds : kTimes[data[1] % kTimes.size()];
  std::string rows = hearsay::fuzz::text_of(data + 2, size - 2);
  const bool only_ordinary = data[1] / kTimes.size() % 2 == 0;
  if (only_ordinary) rows = ordinary_lines(rows, kind, time_format);
  if (rows.empty()) return 0;
  const std::string path = folder + "/" + kind.name;
  hearsay::fuzz::write_file(path, kind.header + rows);
  Source source;
  source.format = kind.format;
  source.paths = {kind.format == Format::kCabs ? folder : path};
  source.timezone = "Europe/London";
  if (kind.format != Format::kCabs) source.time_format = time_format;
  source.bad_rows = BadRows::kSkip;
  Options options;
  options.temp_directory = folder;
  options.memory_bytes = std::uint64_t{256} << 20;
  const RoiRule rois = kind.by_grid() ? RoiRule(Grid{-2, 2, -2, 2, 4, 4}) : RoiRule(RoiIds{});
  const std::string quick = outcome(source, rois, options, false);
  const std::string careful = outcome(source, rois, options, true);
  if (quick != careful) {
    std::cerr << "finding: the quick way says\n" << quick << "\nand the careful way\n" << careful << '\n';
    std::abort();
  }
  return 0;
}
