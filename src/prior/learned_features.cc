// SPDX-License-Identifier: Apache-2.0
#include "prior/learned_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/radix_sort.h"
#include "prior/seasonal.h"

namespace hearsay::prior {
namespace {

constexpr double kSeen = 0.05;      // visits that everybody has everywhere, in an epoch more
constexpr std::size_t kLikely = 8;  // of the moves from a place, those that make a place worth a look
constexpr double kLeastMove = 1e-5;
constexpr std::size_t kFewStops = 256;  // sorted in place

bool is_among(std::span<const Stop> stops, std::uint32_t roi) {
  return std::any_of(stops.begin(), stops.end(), [&](const Stop& stop) { return stop.roi == roi; });
}

std::string ago(const dataset::Calendar& calendar, std::uint32_t epochs) {
  const std::uint32_t seconds = calendar.epoch_seconds * epochs;
  if (seconds == dataset::kDaySeconds) return "a day ago";
  if (seconds == 3600) return "an hour ago";
  if (seconds % 3600 == 0) return fmt::format("{} hours ago", seconds / 3600);
  if (seconds % 60 == 0) return fmt::format("{} minutes ago", seconds / 60);
  return fmt::format("{} seconds ago", seconds);
}

}  // namespace

std::vector<std::string> Ground::null_names() const {
  std::vector<std::string> names = {"how often out", "how often out at this time of day",
                                    "how often out at this time of the week"};
  if (recent) {
    const std::string one = ago(calendar, 1);
    const std::string two = ago(calendar, 2);
    names.insert(names.end(),
                 {"out " + one, "out " + two, "out a day ago", "how many places " + one, "how many places " + two});
  }
  names.push_back("how many are out at this time of the week");
  return names;
}

std::vector<std::string> Ground::place_names() const {
  std::vector<std::string> names = null_names();
  names.back() = "how often there";
  names.insert(names.end(), {"how often there at this time of day", "how often there at this time of the week",
                             "how many are there at this time of the week"});
  if (recent) {
    const std::string one = ago(calendar, 1);
    names.insert(names.end(), {"how many go there from where the person was " + one, "there " + one,
                               "there " + ago(calendar, 2), "there a day ago"});
  }
  return names;
}

PersonView::PersonView(const Ground& ground, std::size_t rois)
    : ground_(&ground),
      day_(one_day(ground.calendar)),
      week_(one_week(ground.calendar)),
      fewest_weeks_(ground.history / week_),
      away_day_(day_),
      away_day_logit_(day_),
      away_week_logit_(week_),
      place_of_(rois),
      moved_(ground.recent ? rois : 0),
      person_(ground.person_features()),
      null_(ground.person_features() + 1),
      cell_(ground.cell_features()) {}

void PersonView::open(std::span<const Stop> stops) {
  for (const std::uint32_t roi : places_) place_of_[roi] = 0;
  places_.clear();
  places_open_ = false;
  stops_ = stops;
  const std::uint32_t history = ground_->history;
  const auto end =
      std::partition_point(stops.begin(), stops.end(), [&](const Stop& stop) { return stop.epoch < history; });
  habits_ = static_cast<std::size_t>(end - stops.begin());
  epoch_ = 0;
  from_before_ = from_twice_before_ = from_day_before_ = 0;

  day_counts_.assign(day_, 0);
  week_counts_.assign(week_, 0);
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < habits_; ++i) {
    const std::uint32_t epoch = stops[i].epoch;
    if (i > 0 && stops[i - 1].epoch == epoch) continue;
    ++out;
    ++day_counts_[epoch % day_];
    ++week_counts_[epoch % week_];
  }
  away_ = (history - out + kSeen) / (history + 1.0);
  for (std::uint32_t d = 0; d < day_; ++d) {
    const std::uint32_t epochs = epochs_at_position(history, day_, d);
    away_day_[d] = leaning(epochs - day_counts_[d], epochs, kDayWeight, away_);
    away_day_logit_[d] = logit_of(away_day_[d]);
  }
  for (std::uint32_t w = 0; w < week_; ++w) {
    const std::uint32_t epochs = epochs_at_position(history, week_, w);
    // Never out, as the day before: the same number, and most are.
    const bool same = w >= day_ && week_counts_[w] == 0 && week_counts_[w - day_] == 0 &&
                      epochs == epochs_at_position(history, week_, w - day_);
    away_week_logit_[w] = same ? away_week_logit_[w - day_]
                               : logit_of(leaning(epochs - week_counts_[w], epochs, kWeekWeight, away_day_[w % day_]));
  }
  person_[0] = logit_of(away_);
}

std::span<const Stop> PersonView::ago(std::uint32_t lag, std::size_t& from) const {
  if (lag > epoch_) return {};
  const std::uint32_t wanted = epoch_ - lag;
  while (from < stops_.size() && stops_[from].epoch < wanted) ++from;
  std::size_t end = from;
  while (end < stops_.size() && stops_[end].epoch == wanted) ++end;
  return stops_.subspan(from, end - from);
}

void PersonView::at(std::uint32_t epoch) {
  assert(epoch >= ground_->history);
  if (epoch < epoch_) from_before_ = from_twice_before_ = from_day_before_ = 0;
  epoch_ = epoch;
  day_at_ = epoch % day_;
  week_at_ = epoch % week_;
  weeks_at_ = epochs_at_position(ground_->history, week_, week_at_);
  person_[1] = away_day_logit_[day_at_];
  person_[2] = away_week_logit_[week_at_];
  if (ground_->recent) {
    before_ = ago(1, from_before_);
    twice_before_ = ago(2, from_twice_before_);
    day_before_ = ago(day_, from_day_before_);
    person_[3] = before_.empty() ? 0 : 1;
    person_[4] = twice_before_.empty() ? 0 : 1;
    person_[5] = day_before_.empty() ? 0 : 1;
    person_[6] = std::log1p(static_cast<double>(before_.size()));
    person_[7] = std::log1p(static_cast<double>(twice_before_.size()));
  }
  std::copy(person_.begin(), person_.end(), null_.begin());
  null_.back() = ground_->levels.logit(week_at_, place_of_.size() - 1);
}

void PersonView::open_places() {
  places_open_ = true;
  keys_.clear();
  for (const Stop& stop : stops_.first(habits_)) keys_.push_back(std::uint64_t{stop.roi} << 32 | stop.epoch);
  if (keys_.size() <= kFewStops) {
    std::sort(keys_.begin(), keys_.end());
  } else {
    radix_sort(keys_, scratch_);
  }
  for (const std::uint64_t key : keys_) {
    const auto roi = static_cast<std::uint32_t>(key >> 32);
    if (places_.empty() || places_.back() != roi) places_.push_back(roi);
    place_of_[roi] = static_cast<std::uint32_t>(places_.size());
  }
  often_.assign(places_.size(), 0);
  day_counts_.assign(places_.size() * day_, 0);
  week_counts_.assign(places_.size() * week_, 0);
  for (const std::uint64_t key : keys_) {
    const std::size_t place = place_of_[key >> 32] - 1;
    const auto epoch = static_cast<std::uint32_t>(key & 0xffffffffU);
    ++often_[place];
    ++day_counts_[place * day_ + epoch % day_];
    ++week_counts_[place * week_ + epoch % week_];
  }
  often_day_.resize(places_.size() * day_);
  often_day_logit_.resize(often_day_.size());
  never_logit_.resize(often_day_.size());
  often_logit_.resize(places_.size());
  for (std::size_t place = 0; place < places_.size(); ++place) {
    const double often = (often_[place] + kSeen) / (ground_->history + 1.0);
    often_[place] = often;
    often_logit_[place] = logit_of(often);
    for (std::uint32_t d = 0; d < day_; ++d) {
      const std::size_t i = place * day_ + d;
      often_day_[i] = leaning(day_counts_[i], epochs_at_position(ground_->history, day_, d), kDayWeight, often);
      often_day_logit_[i] = logit_of(often_day_[i]);
      never_logit_[i] = logit_of(leaning(0, fewest_weeks_, kWeekWeight, often_day_[i]));
    }
  }
}

std::span<const std::uint32_t> PersonView::candidates() {
  if (!places_open_) open_places();
  for (const std::uint32_t roi : touched_) moved_[roi] = 0;
  touched_.clear();
  unseen_moves_ = 0;
  if (before_.empty()) return places_;

  candidates_.clear();
  const auto consider = [&](std::uint32_t roi) {
    if (place_of_[roi] == 0) candidates_.push_back(roi);
  };
  for (const Stop& stop : before_) {
    consider(stop.roi);
    unseen_moves_ += ground_->moves.unseen(stop.roi);
    const std::span<const Moves::Move> moves = ground_->moves.from(stop.roi);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moved_[moves[i].to] == 0) touched_.push_back(moves[i].to);
      moved_[moves[i].to] += moves[i].rate;
      if (i < kLikely) consider(moves[i].to);
    }
  }
  if (candidates_.empty()) return places_;
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  const auto middle = static_cast<std::ptrdiff_t>(candidates_.size());
  candidates_.insert(candidates_.end(), places_.begin(), places_.end());
  std::inplace_merge(candidates_.begin(), candidates_.begin() + middle, candidates_.end());
  return candidates_;
}

std::span<const double> PersonView::cell(std::uint32_t roi) {
  if (place_of_[roi] == 0) {
    const double often = kSeen / (ground_->history + 1.0);
    const double often_day = leaning(0, epochs_at_position(ground_->history, day_, day_at_), kDayWeight, often);
    cell_[0] = logit_of(often);
    cell_[1] = logit_of(often_day);
    cell_[2] = logit_of(leaning(0, weeks_at_, kWeekWeight, often_day));
  } else {
    const std::size_t place = place_of_[roi] - 1;
    const std::size_t by_day = place * day_ + day_at_;
    const std::uint16_t count = week_counts_[place * week_ + week_at_];
    cell_[0] = often_logit_[place];
    cell_[1] = often_day_logit_[by_day];
    cell_[2] = count == 0 && weeks_at_ == fewest_weeks_
                   ? never_logit_[by_day]
                   : logit_of(leaning(count, weeks_at_, kWeekWeight, often_day_[by_day]));
  }
  cell_[3] = ground_->levels.logit(week_at_, roi);
  if (!ground_->recent) return cell_;
  const double moved = moved_[roi] + unseen_moves_ * ground_->levels.overall(roi);
  cell_[4] = before_.empty() ? ground_->levels.overall_logit(roi)
                             : logit_of(moved / static_cast<double>(before_.size()), kLeastMove);
  cell_[5] = is_among(before_, roi) ? 1 : 0;
  cell_[6] = is_among(twice_before_, roi) ? 1 : 0;
  cell_[7] = is_among(day_before_, roi) ? 1 : 0;
  return cell_;
}

}  // namespace hearsay::prior
