// SPDX-License-Identifier: Apache-2.0
//
// The people, places and times of one study, and the three views of them that keep adversary knowledge apart: what was
// observed, what is past at an epoch, and the truth that only metrics and aggregation see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "dataset/crowd.h"
#include "dataset/visit_store.h"
#include "ingest/ingest.h"

namespace hearsay::dataset {

// The observation period: what a prior may be built from.
class Observation {
 public:
  Observation(const VisitStore& visits, Calendar calendar, Crowd crowd)
      : visits_(visits), calendar_(calendar), crowd_(crowd) {}
  const Calendar& calendar() const { return calendar_; }
  const Crowd& crowd() const { return crowd_; }
  // epoch counts from the start of the study and is below calendar().observe.
  EpochVisits at(EpochId epoch) const;

 private:
  const VisitStore& visits_;
  Calendar calendar_;
  Crowd crowd_;
};

// What lies at least one epoch before an epoch of the inference period: what a sliding prior may be built from.
class Past {
 public:
  Past(const VisitStore& visits, Calendar calendar) : visits_(visits), calendar_(calendar) {}
  // The visits `lag` >= 1 epochs before `epoch` of the inference period; lag is at most calendar.observe.
  EpochVisits before(EpochId epoch, std::uint32_t lag) const;

 private:
  const VisitStore& visits_;
  Calendar calendar_;
};

// The inference period: what aggregation counts and metrics compare against, and nothing else sees.
class Truth {
 public:
  Truth(const VisitStore& visits, Calendar calendar, Crowd crowd)
      : visits_(&visits), calendar_(calendar), crowd_(crowd) {}
  std::size_t epochs() const { return calendar_.inference(); }
  std::uint32_t epoch_seconds() const { return calendar_.epoch_seconds; }
  const Crowd& crowd() const { return crowd_; }
  // epoch counts from the start of the inference period.
  EpochVisits at(EpochId epoch) const;

 private:
  const VisitStore* visits_;
  Calendar calendar_;
  Crowd crowd_;
};

// Who the users of a share are among everybody.
struct ShareOf {
  std::size_t people = 0;              // in all
  std::vector<std::uint32_t> numbers;  // by user: its number among everybody, ascending
  std::vector<std::uint32_t> ranks;    // by user: its place among everybody by reports in the observation period
};

// Users are numbered in byte order of their ids, the order in which attacks break ties. ROIs are numbered as ingest
// gave them; null comes last.
class Dataset {
 public:
  // Keeps the `user_limit` users with most visits in the study period (ties in byte order); 0 keeps all.
  Dataset(ingest::Visits visits, Calendar calendar, std::size_t user_limit, std::size_t threads = 1);
  // A share: some users of a data set, ids in byte order. `visits` holds for each epoch ingest::VisitList::key(user,
  // roi), users numbered from 0 in the share, ascending, without repeats; epochs after the last visit may be missing.
  Dataset(std::vector<std::string> user_ids, std::vector<ingest::Roi> rois, std::uint32_t columns,
          std::vector<std::vector<std::uint64_t>> visits, Calendar calendar, ShareOf share, std::size_t threads = 1);
  Dataset(Dataset&&) = default;
  Dataset& operator=(Dataset&&) = default;

  const Calendar& calendar() const { return calendar_; }
  const Crowd& crowd() const { return crowd_; }
  const std::vector<std::string>& user_ids() const { return user_ids_; }
  const std::vector<ingest::Roi>& rois() const { return rois_; }  // null not included
  const VisitStore& visits() const { return visits_; }
  Observation observation() const { return {visits_, calendar_, crowd_}; }
  Past past() const { return {visits_, calendar_}; }
  Truth truth() const { return {visits_, calendar_, crowd_}; }

 private:
  Calendar calendar_;
  std::vector<std::string> user_ids_;
  std::vector<ingest::Roi> rois_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> numbers_;  // of a share
  std::vector<std::uint32_t> zones_;
  Crowd crowd_;
  VisitStore visits_;
};

}  // namespace hearsay::dataset
