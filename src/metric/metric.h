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
#include "belief/beliefs.h"
#include "dataset/dataset.h"
#include "decision/decision.h"
#include "metric/uniform_distances.h"

namespace hearsay::metric {

struct Options {
  double log_base = 2;  // of the Jensen-Shannon divergence
};

// One epoch of the inference period, and who of some users was where in it.
struct TrueEpoch {
  EpochId epoch;
  dataset::EpochVisits visits;
};

__extension__ using Wide = __int128;

// Errors of everybody, put together from ranges of users. Sums are of whole numbers, so that neither the order of
// ranges nor the number of threads changes a bit, and parts computed elsewhere can be added.
struct Scores {
  std::vector<double> users;   // the error over the whole inference period
  std::vector<double> active;  // over the epochs in which the user was somewhere; not a number where there are none
  std::vector<Wide> epochs;    // sum over users, in units of the metric
  struct Place {
    std::int64_t sum = 0;  // over the users and epochs truly there
    std::int64_t visits = 0;
  };
  std::vector<Place> places;  // by ROI, null not included; empty for a metric that has no such thing

  // Adds a part's sums.
  void add(std::span<const Wide> of_epochs, std::span<const Place> of_places);
};

// Buffers of one worker, kept from range to range.
struct Buffers {
  std::vector<double> absent_errors;
  std::vector<std::int64_t> absent_both;
  std::vector<std::int64_t> absent_common;
  std::vector<bool> predicted;  // by ROI
  std::vector<double> likely;   // weights, ascending
  UniformDistances uniform;
};

// Who the errors are about.
struct Setting {
  dataset::Crowd crowd;
  std::size_t epochs = 0;  // of the inference period
  Options options;
};

// Adds up one kind of error of one range of users over all epochs.
class Scorer {
 public:
  virtual ~Scorer() = default;
  // The same prediction in several epochs; beliefs and truth are those of the range. Each epoch once, in any order.
  // Must not throw. Time follows the users listed once, and the active ones in each epoch.
  virtual void add(std::span<const TrueEpoch> epochs, const decision::Prediction& prediction) = 0;
  // Writes the errors of the range's users to `users`, those over their active epochs to `active` (not a number where
  // there are none), which have one for each, and adds the rest to `sums`.
  virtual void finish(std::span<double> users, std::span<double> active, Scores& sums) const = 0;
};

// Change from a baseline, for one user.
struct Change {
  double clipped = 0;  // as the paper defines it, in [0, 1]
  double plain = 0;    // the same without clipping: negative where the adversary did worse
};

// Mean errors that scores stand for.
struct MeanErrors {
  std::vector<double> epochs;  // mean over users
  // Mean over the users and epochs truly in each ROI (null not included), not a number where nobody was; empty for a
  // metric that has no such thing.
  std::vector<double> rois;
};

// What errors are compared with.
enum class Baseline { kNone, kPrior, kRaw };

// A metric is an error (goal, make and means set) or a comparison of two errors (baseline and compare set).
struct MetricEntry {
  EntryInfo info;
  std::string goal;                                     // what studies call it
  std::string about = {};                               // what she is after, in a sentence: "people's habits"
  std::string wants = {};                               // the same after "the adversary wants", at more length
  double (*largest)(const Options& options) = nullptr;  // the largest error there is; not set: 1
  bool decides = false;  // it scores predictions, read off beliefs by a decision; else the beliefs themselves
  std::unique_ptr<Scorer> (*make)(const Setting& setting, belief::UserRange users, Buffers& buffers) = nullptr;
  MeanErrors (*means)(const Setting& setting, const Scores& scores) = nullptr;
  Baseline baseline = Baseline::kNone;
  Change (*compare)(double error, double baseline) = nullptr;

  double largest_error(const Options& options) const { return largest == nullptr ? 1 : largest(options); }
};

// Every metric. Generated from the files in this folder.
const std::vector<const MetricEntry*>& all_metrics();

}  // namespace hearsay::metric
