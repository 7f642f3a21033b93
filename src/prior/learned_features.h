// SPDX-License-Identifier: Apache-2.0
//
// What a learned prior knows of one person at one epoch, as numbers: how often she was where, and lately where she was.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "prior/prior.h"

namespace hearsay::prior {

// A visit of one person. Epochs are counted from the start of the study.
struct Stop {
  std::uint32_t epoch = 0;
  std::uint32_t roi = 0;
};

// The visits of an epoch: of the observation period, or of the inference period as what is past at the next epoch.
dataset::EpochVisits visits_at(const Knowledge& knowledge, std::uint32_t epoch);

// The visits of some users from the start of the study to before epoch `end`, by user, then epoch, then ROI.
class Traces {
 public:
  // Refills with the users of a range.
  void gather(const Knowledge& knowledge, belief::UserRange range, std::uint32_t end);
  // Refills with these users, ascending.
  void gather(const Knowledge& knowledge, std::span<const UserId> users, std::uint32_t end);
  std::size_t size() const { return begins_.size() - 1; }
  std::span<const Stop> of(std::size_t index) const {
    return std::span(stops_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
  }

 private:
  template <typename Each>
  void fill(const Knowledge& knowledge, std::size_t users, std::uint32_t end, const Each& each);
  std::vector<std::size_t> begins_;
  std::vector<Stop> stops_;
};

// How rates of few epochs lean on those of more: so many epochs' worth.
inline constexpr double kDayWeight = 4;   // a time of day on all epochs
inline constexpr double kWeekWeight = 2;  // a time of the week on the time of day

// The rate of `count` in `epochs`, where `usual` weighs as much as `weight` epochs.
constexpr double leaning(double count, double epochs, double weight, double usual) {
  return (count + weight * usual) / (epochs + weight);
}
// log(rate / (1 - rate)), the rate not closer to 0 and 1 than `least`.
double logit_of(double rate, double least = 1e-4);

// The share of all people at each place (null last) by time of the week, over the first `history` epochs.
class Levels {
 public:
  Levels() = default;
  Levels(const dataset::ObservedCounts& counts, std::uint32_t history);
  double level(std::uint32_t position, std::size_t roi) const { return levels_[position * rois_ + roi]; }
  double logit(std::uint32_t position, std::size_t roi) const { return logits_[position * rois_ + roi]; }
  // At any time.
  double overall(std::size_t roi) const { return overall_[roi]; }
  double overall_logit(std::size_t roi) const { return overall_logits_[roi]; }

 private:
  std::size_t rois_ = 0;
  std::vector<double> levels_;
  std::vector<double> logits_;
  std::vector<double> overall_;
  std::vector<double> overall_logits_;
};

// Where people are an epoch after they were at a place: of each place the other places that follow most often.
class Moves {
 public:
  struct Move {
    std::uint32_t to = 0;
    double rate = 0;  // of the people at the place; without the share that `unseen` gives to every place
  };
  Moves() = default;
  // Counted over the first `history` epochs of some traces, of the first users up to some millions of moves.
  Moves(const Traces& traces, std::size_t rois, std::uint32_t history);
  std::span<const Move> from(std::size_t roi) const {
    if (begins_.empty()) return {};
    return std::span(moves_).subspan(begins_[roi], begins_[roi + 1] - begins_[roi]);
  }
  // One person's worth of moves goes to every place as busy as it is: this times its level.
  double unseen(std::size_t roi) const { return unseen_[roi]; }
  void put(BytesWriter& bytes) const;
  void get(BytesReader& bytes);

 private:
  std::vector<std::size_t> begins_;
  std::vector<Move> moves_;  // of a place: most frequent first
  std::vector<double> unseen_;
};

// What a model is fitted on or asked with.
struct Ground {
  dataset::Calendar calendar;
  std::uint32_t history = 0;  // the epochs that habits are taken from
  bool recent = false;        // also where she was one and two epochs and a day ago
  Levels levels;
  Moves moves;

  // Features of a person at an epoch, then those of a cell: a place for her.
  std::size_t person_features() const { return recent ? 8 : 3; }
  std::size_t cell_features() const { return recent ? 8 : 4; }
  std::vector<std::string> place_names() const;
  std::vector<std::string> null_names() const;
};

// Shows the features of one person after another, epoch by epoch. Kept by a worker.
class PersonView {
 public:
  PersonView(const Ground& ground, std::size_t rois);
  // `stops` stay valid while this person is shown.
  void open(std::span<const Stop> stops);
  // An epoch from `history` on. Looks at stops before history and, where the ground is recent, at those 1 and 2 epochs
  // and a day before.
  void at(std::uint32_t epoch);
  std::span<const double> person() const { return person_; }
  // The features of the model for null: those of the person, and how many are in null at that time of the week.
  std::span<const double> null() const { return null_; }
  // Places the person was seen at, and where recent, those an epoch ago and where most go from there; ascending.
  std::span<const std::uint32_t> candidates();
  std::span<const double> cell(std::uint32_t roi);

 private:
  // The stops so many epochs ago. `from` is where the last search ended, which an epoch later need not begin anew.
  std::span<const Stop> ago(std::uint32_t lag, std::size_t& from) const;
  void open_places();

  const Ground* ground_;
  std::uint32_t day_;
  std::uint32_t week_;
  std::uint32_t fewest_weeks_;  // that a time of the week has
  std::span<const Stop> stops_;
  std::size_t habits_ = 0;  // of the stops, those before `history`
  std::uint32_t epoch_ = 0;
  std::uint32_t day_at_ = 0;    // the epoch's time of day
  std::uint32_t week_at_ = 0;   // and of the week
  std::uint32_t weeks_at_ = 0;  // how many epochs before `history` are at that time of the week
  double away_ = 0;
  std::vector<double> away_day_, away_day_logit_, away_week_logit_;
  // By place seen.
  bool places_open_ = false;
  std::vector<std::uint32_t> places_;
  std::vector<double> often_, often_logit_;
  std::vector<double> often_day_, often_day_logit_;
  std::vector<double>
      never_logit_;  // by time of day: the logit at a time of the week when never there, in fewest weeks
  std::vector<std::uint16_t> week_counts_;
  std::vector<std::uint32_t> place_of_;  // by ROI: its number among the places seen and one, or 0
  // Lately.
  std::span<const Stop> before_, twice_before_, day_before_;
  std::size_t from_before_ = 0, from_twice_before_ = 0, from_day_before_ = 0;
  double unseen_moves_ = 0;
  std::vector<double> moved_;  // by ROI
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint64_t> keys_, scratch_;
  std::vector<std::uint16_t> day_counts_;
  std::vector<double> person_, null_, cell_;
};

}  // namespace hearsay::prior
