// SPDX-License-Identifier: Apache-2.0
#include "ingest/visit_sink.h"

#include <algorithm>
#include <cmath>

#include "base/civil_time.h"
#include "base/parallel.h"
#include "base/radix_sort.h"

namespace hearsay::ingest {
namespace {

constexpr std::size_t kSmallBlock = 32;
constexpr std::size_t kLargeBlock = 16384;  // keys; malloc gives blocks of this size back to the system

std::int64_t to_lattice(double degrees) {
  return std::llround(degrees * 1e7);
}

// All ids of the collectors' tables in byte order, and for each table the numbers that its own have there.
std::vector<std::string> number_ids(std::vector<IdTable> tables, std::vector<std::vector<std::uint32_t>>& numbers) {
  IdTable all;
  for (IdTable& table : tables) {
    std::vector<std::uint32_t>& renumbered = numbers.emplace_back(table.size());
    if (all.size() == 0) {
      all = std::move(table);
      for (std::size_t i = 0; i < renumbered.size(); ++i) renumbered[i] = static_cast<std::uint32_t>(i);
      continue;
    }
    for (std::size_t i = 0; i < renumbered.size(); ++i) {
      renumbered[i] = all.add(table.at(i), IdTable::hash(table.at(i)));
    }
  }
  std::vector<std::string> ids;
  ids.reserve(all.size());
  std::vector<std::uint32_t> rank(all.size());
  for (const std::uint32_t number : all.in_byte_order()) {
    rank[number] = static_cast<std::uint32_t>(ids.size());
    ids.emplace_back(all.at(number));
  }
  for (auto& renumbered : numbers) {
    for (std::uint32_t& number : renumbered) number = rank[number];
  }
  return ids;
}

}  // namespace

void Collector::Bucket::add(std::uint64_t key) {
  if (room == 0) {
    const std::size_t size = std::clamp(total, kSmallBlock, kLargeBlock);
    blocks.push_back({std::make_unique_for_overwrite<std::uint64_t[]>(size), size});
    room = size;
  }
  Block& block = blocks.back();
  block.keys[block.size - room--] = key;
  ++total;
}

Collector::Collector(const Placing& placing, std::size_t checks)
    : placing_(placing), epochs_((placing.period.end - placing.period.begin) / placing.period.epoch) {
  counts_.bad.resize(checks);
}

void name_pair(std::string_view start, std::string_view end, std::string& id) {
  id.assign(start);
  id.append(" -> ").append(end);
}

bool Collector::find_pair(const Event& event, std::uint32_t& roi) {
  if (placing_.listed == nullptr) {
    name_pair(event.place, event.end_place, pair_);
    roi = rois_.add(pair_, IdTable::hash(pair_));
    return true;
  }
  const std::uint32_t start = placing_.listed->find(event.place, IdTable::hash(event.place));
  const std::uint32_t end = placing_.listed->find(event.end_place, IdTable::hash(event.end_place));
  if (start == IdTable::kNone || end == IdTable::kNone) return false;
  roi = start * static_cast<std::uint32_t>(placing_.listed->size()) + end;
  return true;
}

bool Collector::find_zone(const Event& event, std::uint32_t& roi) const {
  const auto zone = placing_.zones->find(to_lattice(event.lat), to_lattice(event.lng));
  roi = zone.value_or(0);
  return zone.has_value();
}

bool Collector::find_roi(const Event& event, std::uint32_t& roi) {
  if (placing_.grid == nullptr) {
    if (placing_.zones != nullptr) return find_zone(event, roi);
    if (placing_.pairs) return find_pair(event, roi);
    const std::uint64_t hash = IdTable::hash(event.place);
    roi = placing_.listed != nullptr ? placing_.listed->find(event.place, hash) : rois_.add(event.place, hash);
    return roi != IdTable::kNone;
  }
  const GridLattice& box = placing_.box;
  const std::int64_t y = to_lattice(event.lat);
  const std::int64_t x = to_lattice(event.lng);
  if (y < box.south || y >= box.north || x < box.west || x >= box.east) return false;
  const std::int64_t row = (y - box.south) * placing_.grid->rows / (box.north - box.south);
  const std::int64_t col = (x - box.west) * placing_.grid->cols / (box.east - box.west);
  roi = static_cast<std::uint32_t>(row * placing_.grid->cols + col);
  return true;
}

void Collector::add(const Event& event) {
  Facts& facts = counts_.facts;
  ++facts.events;
  const std::int64_t civil = event.civil ? event.us : to_civil(placing_.shifts, event.us);
  if (civil < placing_.period.begin || civil >= placing_.period.end) {
    ++facts.outside_period;
    (event.civil ? facts.civil : facts.absolute).add(event.us);
    return;
  }
  facts.civil.add(civil);
  std::uint32_t roi = 0;
  if (!find_roi(event, roi)) {
    ++facts.outside_rois;
    if (placing_.grid != nullptr || placing_.zones != nullptr) facts.elsewhere.add(event.lat, event.lng);
    return;
  }
  ++facts.used;
  // A date alone is midnight on the clock, or midnight UTC where it was turned into a number.
  if (civil % kDay == 0 || event.us % kDay == 0) ++facts.at_midnight;
  const auto epoch = static_cast<std::uint32_t>((civil - placing_.period.begin) / placing_.period.epoch);
  // Rows of one user often follow each other.
  const bool same = !waiting_.empty() && waiting_.back().uid == event.uid;
  const std::uint64_t hash = same ? waiting_.back().hash : IdTable::hash(event.uid);
  if (!same) users_.prefetch(hash);
  waiting_.push_back({event.uid, hash, epoch, roi});
}

void Collector::flush() {
  const Waiting* last = nullptr;
  std::uint32_t user = 0;
  for (const Waiting& event : waiting_) {
    if (last == nullptr || last->hash != event.hash || last->uid != event.uid) user = users_.add(event.uid, event.hash);
    last = &event;
    epochs_[event.epoch].add(VisitList::key(user, event.roi));
  }
  waiting_.clear();
}

Collector& VisitSink::collector() {
  const std::lock_guard lock(mutex_);
  for (Owned& owned : collectors_) {
    if (owned.thread == std::this_thread::get_id()) return *owned.collector;
  }
  collectors_.push_back({std::this_thread::get_id(), std::make_unique<Collector>(placing_, checks_)});
  return *collectors_.back().collector;
}

SinkCounts VisitSink::counts() const {
  SinkCounts total;
  total.bad.resize(checks_);
  for (const Owned& owned : collectors_) {
    Facts facts = owned.collector->counts_.facts;
    for (const Collector::Bucket& bucket : owned.collector->epochs_) facts.by_epoch.push_back(bucket.total);
    total.facts.add(facts);
    for (std::size_t i = 0; i < checks_; ++i) total.bad[i] += owned.collector->counts_.bad[i];
  }
  return total;
}

// What one collector's users and ROIs are called in the end; rois empty where they are right already.
struct VisitSink::Numbers {
  std::vector<std::uint32_t> users;
  std::vector<std::uint32_t> rois;
};

void VisitSink::number_users(Visits& visits, std::vector<Numbers>& numbers) {
  std::vector<IdTable> tables;
  for (Owned& owned : collectors_) tables.push_back(std::move(owned.collector->users_));
  std::vector<std::vector<std::uint32_t>> by_collector;
  visits.users = number_ids(std::move(tables), by_collector);
  for (std::size_t i = 0; i < by_collector.size(); ++i) numbers[i].users = std::move(by_collector[i]);
}

void VisitSink::number_rois(Visits& visits, std::vector<Numbers>& numbers) {
  if (placing_.grid != nullptr || placing_.zones != nullptr || placing_.listed != nullptr) return;
  std::vector<IdTable> tables;
  for (Owned& owned : collectors_) tables.push_back(std::move(owned.collector->rois_));
  std::vector<std::vector<std::uint32_t>> by_collector;
  for (std::string& id : number_ids(std::move(tables), by_collector)) {
    visits.rois.push_back({std::move(id), "", std::nullopt, std::nullopt});
  }
  for (std::size_t i = 0; i < by_collector.size(); ++i) numbers[i].rois = std::move(by_collector[i]);
}

void VisitSink::finish(std::size_t threads, Visits& visits) {
  std::vector<Numbers> numbers(collectors_.size());
  number_users(visits, numbers);
  number_rois(visits, numbers);
  if (collectors_.empty()) return;
  auto& epochs = visits.visits.epochs;
  epochs.resize(collectors_.front().collector->epochs_.size());
  std::vector<std::vector<std::uint64_t>> scratch(threads);
  parallel_for(epochs.size(), threads, [&](std::size_t e, std::size_t worker) {
    std::vector<std::uint64_t>& keys = epochs[e];
    std::size_t total = 0;
    for (const Owned& owned : collectors_) total += owned.collector->epochs_[e].total;
    keys.reserve(total);
    for (std::size_t c = 0; c < collectors_.size(); ++c) {
      Collector::Bucket bucket = std::move(collectors_[c].collector->epochs_[e]);
      for (Collector::Bucket::Block& block : bucket.blocks) {
        const std::size_t count = &block == &bucket.blocks.back() ? block.size - bucket.room : block.size;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint32_t roi = VisitList::roi(block.keys[i]);
          keys.push_back(VisitList::key(numbers[c].users[VisitList::user(block.keys[i])],
                                        numbers[c].rois.empty() ? roi : numbers[c].rois[roi]));
        }
        block.keys.reset();
      }
    }
    radix_sort(keys, scratch[worker]);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  });
  collectors_.clear();
}

}  // namespace hearsay::ingest
