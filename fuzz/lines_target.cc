// SPDX-License-Identifier: Apache-2.0
//
// The parser of ordinary lines alone, without DuckDB before it: thousands of inputs a second.
#include <cstdlib>
#include <string_view>

#include "ingest/line_parser.h"
#include "support.h"

namespace {

using namespace hearsay::ingest;
using hearsay::storage::FileKind;
using hearsay::storage::Layout;

// The lines of the input through a parser for such a table; returns how many it took.
std::size_t parse_all(std::string_view text, const Layout& layout, const Fields& fields, VisitSink& sink) {
  LineParser parser(layout, fields);
  Collector& collector = sink.collector();
  std::size_t taken = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    taken += parser.parse(text.substr(0, end), "cab", collector) ? 1 : 0;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  collector.flush();
  return taken;
}

void check(std::string_view text, const Layout& layout, const Fields& fields) {
  static const Grid kGrid{0, 2, 0, 2, 2, 2};
  Placing placing;
  placing.period = check_period({"2010-03-01 00:00:00", 3600, 48});
  placing.shifts = {{0, 0}};
  if (fields.by_grid) {
    placing.grid = &kGrid;
    placing.box = check_grid(kGrid);
  }
  VisitSink sink(placing, 1);
  const std::size_t taken = parse_all(text, layout, fields, sink);
  const Facts counts = sink.counts().facts;
  if (counts.events != taken * (fields.format == Format::kTrips ? 2 : 1)) std::abort();
  if (counts.used + counts.outside_period + counts.outside_rois != counts.events) std::abort();
  Visits visits;
  sink.finish(1, visits);
  if (visits.visits.size() > counts.used) std::abort();
  for (const Visit& visit : visits.visits.all()) {
    if (visit.epoch >= 48 || visit.user >= visits.users.size()) std::abort();
    if (visit.roi >= (fields.by_grid ? 4 : visits.rois.size())) std::abort();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = hearsay::fuzz::text_of(data, size);
  Layout events{FileKind::kDelimited, ',', true, true, {{"uid"}, {"lat"}, {"lng"}, {"datetime"}}};
  check(text, events,
        {Format::kEvents, true, TimeFormat::kAuto, {{"uid", 0}, {"lat", 1}, {"lng", 2}, {"datetime", 3}}});
  check(text, events, {Format::kEvents, false, TimeFormat::kIso, {{"uid", 0}, {"roi", 1}, {"datetime", 3}}});
  Layout trips{FileKind::kDelimited, ',', true, true, {{"u"}, {"a"}, {"b"}, {"c"}, {"d"}}};
  check(text, trips,
        {Format::kTrips,
         false,
         TimeFormat::kAuto,
         {{"uid", 0}, {"start_time", 1}, {"start_roi", 2}, {"end_time", 3}, {"end_roi", 4}}});
  check(text, cab_layout(), {Format::kCabs, true, TimeFormat::kUnixSeconds, {{"lat", 0}, {"lng", 1}, {"datetime", 3}}});
  return 0;
}
