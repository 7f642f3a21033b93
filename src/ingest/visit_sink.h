// SPDX-License-Identifier: Apache-2.0
//
// Where all readers put their events: places each in time and space, counts what is not a visit, numbers users and
// ROIs, and at the end sorts the visits of each epoch and drops repeats. Each thread has a collector of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ingest/facts.h"
#include "ingest/id_table.h"
#include "ingest/ingest.h"
#include "ingest/settings.h"
#include "ingest/time_zone.h"
#include "ingest/zone_map.h"

namespace hearsay::ingest {

// The id of a pair of places.
void name_pair(std::string_view start, std::string_view end, std::string& id);

// How events are placed.
struct Placing {
  CivilPeriod period;
  std::vector<ClockShift> shifts;  // from absolute to civil time
  const Grid* grid = nullptr;      // null: by id
  GridLattice box;
  const ZoneMap* zones = nullptr;   // where not null, in place of a grid
  const IdTable* listed = nullptr;  // null: every ROI seen
  bool pairs = false;               // an ROI is a pair: of every two listed, or of those seen
};

struct Event {
  std::string_view uid;
  std::int64_t us = 0;
  bool civil = false;  // us is civil time; absolute otherwise
  double lat = 0;
  double lng = 0;
  std::string_view place;
  std::string_view end_place = {};  // of pairs
};

// What became of events and bad rows; the reasons and the number of rows are not filled in.
struct SinkCounts {
  Facts facts;
  std::vector<std::uint64_t> bad;  // by check, from 0
};

// One thread's events.
class Collector {
 public:
  explicit Collector(const Placing& placing, std::size_t checks);
  void add(const Event& event);
  void add_bad(std::size_t check) { ++counts_.bad[check]; }
  std::uint64_t bad(std::size_t check) const { return counts_.bad[check]; }
  // Ends a batch: the texts of the events added may go.
  void flush();

 private:
  friend class VisitSink;

  // Keys in blocks that grow, so that none is ever moved.
  struct Bucket {
    struct Block {
      std::unique_ptr<std::uint64_t[]> keys;
      std::size_t size;
    };
    std::vector<Block> blocks;
    std::size_t room = 0;
    std::size_t total = 0;
    void add(std::uint64_t key);
  };
  struct Waiting {
    std::string_view uid;
    std::uint64_t hash;
    std::uint32_t epoch;
    std::uint32_t roi;
  };

  bool find_roi(const Event& event, std::uint32_t& roi);
  bool find_pair(const Event& event, std::uint32_t& roi);
  bool find_zone(const Event& event, std::uint32_t& roi) const;

  const Placing& placing_;
  SinkCounts counts_;
  IdTable users_;
  IdTable rois_;
  std::vector<Bucket> epochs_;
  std::vector<Waiting> waiting_;
  std::string pair_;
};

class VisitSink {
 public:
  VisitSink(Placing placing, std::size_t checks) : placing_(std::move(placing)), checks_(checks) {}

  // Of the calling thread.
  Collector& collector();
  // Forgets everything.
  void clear() { collectors_.clear(); }

  SinkCounts counts() const;
  // Fills users and visits, and rois where they are those seen; empties the sink. Memory beyond the visits: a sort
  // buffer of the busiest epoch for each thread.
  void finish(std::size_t threads, Visits& visits);

 private:
  struct Numbers;
  void number_users(Visits& visits, std::vector<Numbers>& numbers);
  void number_rois(Visits& visits, std::vector<Numbers>& numbers);

  struct Owned {
    std::thread::id thread;
    std::unique_ptr<Collector> collector;
  };
  Placing placing_;
  std::size_t checks_;
  std::mutex mutex_;
  std::vector<Owned> collectors_;
};

}  // namespace hearsay::ingest
