// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/radix_sort.h"
#include "prior/learned_features.h"
#include "prior/seasonal.h"

namespace hearsay::prior {
namespace {

constexpr double kLeastLevel = 1e-6;
constexpr std::size_t kMoves = 3'000'000;  // counted, about
constexpr std::size_t kStride = 16;
constexpr std::size_t kMostMoves = 32;  // from a place; 64 are no better on the cabs

}  // namespace

double logit_of(double rate, double least) {
  const double inside = std::clamp(rate, least, 1 - least);
  return std::log(inside / (1 - inside));
}

dataset::EpochVisits visits_at(const Knowledge& knowledge, std::uint32_t epoch) {
  const std::uint32_t observe = knowledge.observation.calendar().observe;
  if (epoch < observe) return knowledge.observation.at(static_cast<EpochId>(epoch));
  return knowledge.past.before(static_cast<EpochId>(epoch - observe + 1), 1);
}

template <typename Each>
void Traces::fill(const Knowledge& knowledge, std::size_t users, std::uint32_t end, const Each& each) {
  begins_.assign(users + 1, 0);
  for (std::uint32_t e = 0; e < end; ++e) {
    const dataset::EpochVisits visits = visits_at(knowledge, e);
    each(visits, [&](std::size_t index, std::size_t row) { begins_[index + 1] += visits.rois_of(row).size(); });
  }
  for (std::size_t i = 0; i < users; ++i) begins_[i + 1] += begins_[i];
  stops_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (std::uint32_t e = 0; e < end; ++e) {
    const dataset::EpochVisits visits = visits_at(knowledge, e);
    each(visits, [&](std::size_t index, std::size_t row) {
      for (const RoiId roi : visits.rois_of(row)) stops_[next[index]++] = {e, static_cast<std::uint32_t>(roi)};
    });
  }
}

void Traces::gather(const Knowledge& knowledge, belief::UserRange range, std::uint32_t end) {
  fill(knowledge, range.size(), end, [&](const dataset::EpochVisits& visits, const auto& take) {
    const auto begin = std::lower_bound(visits.users.begin(), visits.users.end(), range.begin);
    for (auto row = static_cast<std::size_t>(begin - visits.users.begin());
         row < visits.users.size() && visits.users[row] < range.end; ++row) {
      take(index_of(visits.users[row]) - index_of(range.begin), row);
    }
  });
}

void Traces::gather(const Knowledge& knowledge, std::span<const UserId> users, std::uint32_t end) {
  fill(knowledge, users.size(), end, [&](const dataset::EpochVisits& visits, const auto& take) {
    auto at = visits.users.begin();
    for (std::size_t i = 0; i < users.size(); ++i) {
      at = std::lower_bound(at, visits.users.end(), users[i]);
      if (at == visits.users.end()) return;
      if (*at == users[i]) take(i, static_cast<std::size_t>(at - visits.users.begin()));
    }
  });
}

Levels::Levels(const dataset::ObservedCounts& counts, std::uint32_t history) : rois_(counts.rois) {
  const std::uint32_t day = one_day(counts.calendar);
  const std::uint32_t week = one_week(counts.calendar);
  const auto users = static_cast<double>(counts.people);
  levels_.assign(week * rois_, 0);
  for (std::uint32_t e = 0; e < history; ++e) {
    const std::span<const std::uint64_t> visits = counts.at(e);
    for (std::size_t roi = 0; roi < rois_; ++roi) {
      levels_[e % week * rois_ + roi] += static_cast<double>(visits[roi]);
    }
  }
  overall_.assign(rois_, 0);
  std::vector<double> of_day(day * rois_);
  for (std::uint32_t w = 0; w < week; ++w) {
    for (std::size_t roi = 0; roi < rois_; ++roi) {
      const double count = levels_[w * rois_ + roi];
      overall_[roi] += count;
      of_day[w % day * rois_ + roi] += count;
    }
  }
  for (double& level : overall_) level /= users * history;
  for (const double level : overall_) overall_logits_.push_back(logit_of(level, kLeastLevel));
  for (std::uint32_t d = 0; d < day; ++d) {
    for (std::size_t roi = 0; roi < rois_; ++roi) {
      double& level = of_day[d * rois_ + roi];
      level = leaning(level / users, epochs_at_position(history, day, d), kDayWeight, overall_[roi]);
    }
  }
  logits_.resize(levels_.size());
  for (std::uint32_t w = 0; w < week; ++w) {
    for (std::size_t roi = 0; roi < rois_; ++roi) {
      double& level = levels_[w * rois_ + roi];
      level = leaning(level / users, epochs_at_position(history, week, w), kWeekWeight, of_day[w % day * rois_ + roi]);
      logits_[w * rois_ + roi] = logit_of(level, kLeastLevel);
    }
  }
}

Moves::Moves(const Traces& traces, std::size_t rois, std::uint32_t history) : begins_(rois + 1), unseen_(rois) {
  std::vector<std::uint64_t> pairs;
  std::vector<std::uint64_t> scratch;
  const auto count = [&](std::span<const Stop> stops) {
    for (std::size_t i = 0, next = 0; i < stops.size() && stops[i].epoch + 1 < history; ++i) {
      ++unseen_[stops[i].roi];
      while (next < stops.size() && stops[next].epoch <= stops[i].epoch) ++next;
      for (std::size_t j = next; j < stops.size() && stops[j].epoch == stops[i].epoch + 1; ++j) {
        if (stops[j].roi != stops[i].roi) pairs.push_back(std::uint64_t{stops[i].roi} << 32 | stops[j].roi);
      }
    }
  };
  for (std::size_t offset = 0; offset < kStride; ++offset) {
    for (std::size_t i = offset; i < traces.size() && pairs.size() < kMoves; i += kStride) count(traces.of(i));
  }
  radix_sort(pairs, scratch);
  for (double& visits : unseen_) visits = 1 / (visits + 1);

  auto pair = pairs.begin();
  for (std::size_t roi = 0; roi < rois; ++roi) {
    begins_[roi] = moves_.size();
    while (pair != pairs.end() && *pair >> 32 == roi) {
      const auto next = std::find_if(pair, pairs.end(), [&](std::uint64_t other) { return other != *pair; });
      moves_.push_back(
          {static_cast<std::uint32_t>(*pair & 0xffffffffU), static_cast<double>(next - pair) * unseen_[roi]});
      pair = next;
    }
    const auto first = moves_.begin() + static_cast<std::ptrdiff_t>(begins_[roi]);
    std::stable_sort(first, moves_.end(), [](const Move& a, const Move& b) { return a.rate > b.rate; });
    moves_.resize(std::min(moves_.size(), begins_[roi] + kMostMoves));
  }
  begins_[rois] = moves_.size();
}

void Moves::put(BytesWriter& bytes) const {
  bytes.put(begins_);
  bytes.put(unseen_);
  for (const Move& move : moves_) {
    bytes.put(move.to);
    bytes.put(move.rate);
  }
}

void Moves::get(BytesReader& bytes) {
  bytes.get(begins_);
  bytes.get(unseen_);
  moves_.resize(begins_.empty() ? 0 : begins_.back());
  for (Move& move : moves_) {
    bytes.get(move.to);
    bytes.get(move.rate);
  }
}

}  // namespace hearsay::prior
