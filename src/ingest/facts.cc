// SPDX-License-Identifier: Apache-2.0
#include "ingest/facts.h"

#include <algorithm>

#include "base/bytes.h"

namespace hearsay::ingest {

void TimeSpan::add(std::int64_t time) {
  first = std::min(first, time);
  last = std::max(last, time);
}

void TimeSpan::add(const TimeSpan& other) {
  first = std::min(first, other.first);
  last = std::max(last, other.last);
}

void Extent::add(double lat, double lng) {
  add(Extent{lat, lat, lng, lng});
}

void Extent::add(const Extent& other) {
  south = std::min(south, other.south);
  north = std::max(north, other.north);
  west = std::min(west, other.west);
  east = std::max(east, other.east);
}

void Facts::add(const Facts& other) {
  rows += other.rows;
  events += other.events;
  used += other.used;
  outside_period += other.outside_period;
  outside_rois += other.outside_rois;
  at_midnight += other.at_midnight;
  by_epoch.resize(std::max(by_epoch.size(), other.by_epoch.size()));
  for (std::size_t e = 0; e < other.by_epoch.size(); ++e) by_epoch[e] += other.by_epoch[e];
  for (const auto& [reason, count] : other.bad_rows) bad_rows[reason] += count;
  civil.add(other.civil);
  absolute.add(other.absolute);
  elsewhere.add(other.elsewhere);
  odd_time = odd_time || other.odd_time;
}

std::string Facts::bytes() const {
  BytesWriter writer;
  for (const std::uint64_t count : {rows, events, used, outside_period, outside_rois, at_midnight}) writer.put(count);
  writer.put(by_epoch);
  writer.put(static_cast<std::uint64_t>(bad_rows.size()));
  for (const auto& [reason, count] : bad_rows) {
    writer.put(reason);
    writer.put(count);
  }
  writer.put(civil);
  writer.put(absolute);
  writer.put(elsewhere);
  writer.put(odd_time);
  return writer.take();
}

Facts Facts::from_bytes(std::string_view bytes) {
  BytesReader reader(bytes);
  Facts facts;
  for (std::uint64_t* count :
       {&facts.rows, &facts.events, &facts.used, &facts.outside_period, &facts.outside_rois, &facts.at_midnight}) {
    reader.get(*count);
  }
  reader.get(facts.by_epoch);
  const auto reasons = reader.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < reasons; ++i) {
    const std::string reason(reader.get_text());
    reader.get(facts.bad_rows[reason]);
  }
  reader.get(facts.civil);
  reader.get(facts.absolute);
  reader.get(facts.elsewhere);
  reader.get(facts.odd_time);
  return facts;
}

}  // namespace hearsay::ingest
