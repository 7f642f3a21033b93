// SPDX-License-Identifier: Apache-2.0
//
// How far the adversary is from the truth, and how much closer the release brought her (paper, section 3.1). One
// *_metric.cc file a metric. Only this stage compares beliefs with the truth.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/entry.h"
#include "dataset/dataset.h"
#include "prior/beliefs.h"

namespace hearsay::metric {

struct Options {
  double log_base = 2;  // of the Jensen-Shannon divergence
  double delta = 0.5;   // POP predicts the ROIs at or above this probability
};

// Some epochs of the inference period and who was where in each of them.
struct TrueEpoch {
  EpochId epoch;
  dataset::EpochVisits visits;
};

// Adds up one kind of error for one attack over all epochs.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // The same beliefs in several epochs; or in one, where beliefs and truth may be those of a range of users, as long as
  // all ranges of an epoch come from one worker and in order. Each epoch once (and user, for ranges), in any order,
  // from any worker below the number given to make. Must not throw. The sums are of whole numbers, so the order of
  // epochs changes nothing. Time follows the users listed once, and the active ones in each epoch.
  virtual void add(std::span<const TrueEpoch> epochs, const prior::Beliefs& beliefs, std::size_t worker) = 0;
  virtual std::vector<double> user_errors() const = 0;   // over the whole inference period
  virtual std::vector<double> epoch_errors() const = 0;  // mean over users
  // Mean over the users and epochs truly in each ROI (null not included), not a number where nobody was; empty for a
  // metric that has no such thing.
  virtual std::vector<double> roi_errors() const { return {}; }
};

struct Setting {
  dataset::Truth truth;
  Options options;
  std::size_t workers = 1;
};

// Change from a baseline, for one user.
struct Change {
  double clipped = 0;  // as the paper defines it, in [0, 1]
  double plain = 0;    // the same without clipping: negative where the adversary did worse
};

// A metric is an error (goal, decisions and make set) or a comparison of two errors (compare set).
struct MetricEntry {
  EntryInfo info;
  std::string goal;  // what studies call it
  // The ways to read a prediction off beliefs, "" where there is nothing to decide.
  std::vector<std::string> (*decisions)(bool binary) = nullptr;
  std::unique_ptr<Scorer> (*make)(const Setting& setting, const std::string& decision) = nullptr;
  Change (*compare)(double error, double baseline) = nullptr;
};

// Every metric. Generated from the files in this folder.
const std::vector<const MetricEntry*>& all_metrics();

}  // namespace hearsay::metric
