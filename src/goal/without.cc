// SPDX-License-Identifier: Apache-2.0
#include "goal/without.h"

#include <algorithm>

#include "base/table_position.h"
#include "base/user_rows.h"

namespace hearsay::goal {
namespace {

bool contains(std::span<const RoiId> rois, RoiId roi) {
  return std::binary_search(rois.begin(), rois.end(), roi);
}

constexpr std::size_t kNoEntry = kNoRow;

// Where a row, which may be none, has a place.
std::size_t entry_of(const belief::SparseRows& rows, std::size_t row, RoiId roi) {
  if (row == kNoRow) return kNoEntry;
  const std::span<const RoiId> rois = rows.rois_of(row);
  const auto found = rois.back() <= roi ? rois.end() - 1 : std::lower_bound(rois.begin(), rois.end(), roi);
  return *found == roi ? rows.begins[row] + static_cast<std::size_t>(found - rois.begin()) : kNoEntry;
}

double weight_of(const belief::Rows& rows, std::size_t row, RoiId roi) {
  const std::size_t entry = entry_of(rows, row, roi);
  return entry == kNoEntry ? 0 : rows.weight(entry);
}

}  // namespace

belief::Beliefs Without::distributions(const dataset::EpochVisits& truth, const belief::Beliefs& with,
                                       const belief::Beliefs& less, RoiId null_roi) {
  if (const auto* common = std::get_if<belief::Shared>(&with)) {
    return shared(truth, *common, std::get_if<belief::Shared>(&less), null_roi);
  }
  if (const auto* chances = std::get_if<belief::Rates>(&with)) {
    return rates(truth, *chances, std::get<belief::Rates>(less), null_roi);
  }
  return rows(truth, std::get<belief::Rows>(with), std::get<belief::Rows>(less), null_roi);
}

// Most people are in null, which is last in a row: theirs are copied but for that.
belief::Beliefs Without::rows(const dataset::EpochVisits& truth, const belief::Rows& with, const belief::Rows& less,
                              RoiId null_roi) {
  table_.clear();
  const auto entries = [](const belief::Rows& rows) {
    return rows.users.empty() ? 0 : rows.begins[rows.users.size()] - rows.begins[0];
  };
  table_.rois.resize(entries(with) + entries(less) + 1);  // one more, for what is written and not kept
  table_.weights.resize(table_.rois.size());
  std::size_t kept = 0;
  double total = 0;
  const auto add = [&](RoiId roi, double weight) {
    table_.rois[kept] = roi;
    table_.weights[kept] = weight;
    kept += weight > 0 ? 1 : 0;
    total += weight;
  };
  RowFinder there(truth.users);
  walk_both(with.users, less.users, [&](UserId user, std::size_t row, std::size_t less_row) {
    const std::size_t t = there.find(user);
    const bool active = t != kNoRow;
    const std::span<const RoiId> own = active ? truth.rois_of(t) : std::span(&null_roi, 1);
    const std::size_t begin = kept;
    total = 0;
    std::size_t o = 0;
    const std::size_t first = row == kNoRow ? 0 : with.begins[row];
    std::size_t last = row == kNoRow ? 0 : with.begins[row + 1];
    if (!active && last > first && with.rois[last - 1] == null_roi) --last;
    for (std::size_t i = first; i < last; ++i) {
      if (active) {
        for (; o < own.size() && own[o] < with.rois[i]; ++o) add(own[o], weight_of(less, less_row, own[o]));
        if (o < own.size() && own[o] == with.rois[i]) continue;
      }
      add(with.rois[i], with.weight(i));
    }
    for (; o < own.size(); ++o) add(own[o], weight_of(less, less_row, own[o]));
    if (kept == begin) return;
    table_.users.push_back(user);
    table_.begins.push_back(table_position(begin));
    table_.totals.push_back(total);
  });
  table_.rois.resize(kept);
  table_.weights.resize(kept);
  table_.close();
  return table_.rows();
}

belief::Beliefs Without::rates(const dataset::EpochVisits& truth, const belief::Rates& with, const belief::Rates& less,
                               RoiId null_roi) {
  table_.clear();
  background_.assign(with.elsewhere.begin(), with.elsewhere.end());
  background_.back() = less.elsewhere.back();  // of those not listed, who are in null but for the ones listed below
  RowFinder listed_less(less.users);
  const auto chance_less = [&](std::size_t row, RoiId roi) {
    const std::size_t entry = entry_of(less, row, roi);
    return entry == kNoEntry ? less.elsewhere[index_of(roi)] : less.chances[entry];
  };
  walk_both(with.users, truth.users, [&](UserId user, std::size_t row, std::size_t active) {
    const std::size_t less_row = listed_less.find(user);
    table_.users.push_back(user);
    table_.begins.push_back(table_position(table_.rois.size()));
    const auto add = [&](RoiId roi, double chance) {
      table_.rois.push_back(roi);
      table_.weights.push_back(chance);
    };
    if (active == kNoRow) {  // in null, the last of the row: most people, most of the time
      const std::span<const RoiId> rois = with.rois_of(row);
      const std::span<const double> chances = with.chances_of(row);
      table_.rois.insert(table_.rois.end(), rois.begin(), rois.end());
      table_.weights.insert(table_.weights.end(), chances.begin(), chances.end());
      table_.weights.back() = chance_less(less_row, null_roi);
      return;
    }
    const std::span<const RoiId> own = truth.rois_of(active);
    std::size_t o = 0;
    const std::size_t end = row == kNoRow ? 0 : with.begins[row + 1];
    for (std::size_t i = row == kNoRow ? 0 : with.begins[row]; i < end; ++i) {
      for (; o < own.size() && own[o] < with.rois[i]; ++o) add(own[o], chance_less(less_row, own[o]));
      const bool here = o < own.size() && own[o] == with.rois[i];
      add(with.rois[i], here ? chance_less(less_row, own[o++]) : with.chances[i]);
    }
    for (; o < own.size(); ++o) add(own[o], chance_less(less_row, own[o]));
    if (row == kNoRow) add(null_roi, with.elsewhere.back());
  });
  table_.close();
  return table_.rates(background_);
}

belief::Beliefs Without::shared(const dataset::EpochVisits& truth, const belief::Shared& with,
                                const belief::Shared* less, RoiId null_roi) {
  const auto weight_less = [&](RoiId roi) { return less == nullptr ? 0.0 : less->background.weights[index_of(roi)]; };
  // For those in null, who are most; the others are apart.
  background_.assign(with.background.weights.begin(), with.background.weights.end());
  background_.back() = weight_less(null_roi);
  double total = 0;
  for (const double weight : background_) total += weight;
  if (total <= 0) return belief::Rows();
  table_.clear();
  const auto set_apart = [&](UserId user, std::size_t active) {
    table_.users.push_back(user);
    table_.begins.push_back(table_position(table_.rois.size()));
    for (const RoiId roi : truth.rois_of(active)) {
      table_.rois.push_back(roi);
      table_.weights.push_back(weight_less(roi));
    }
    table_.rois.push_back(null_roi);
    table_.weights.push_back(with.background.weights.back());
  };
  RowFinder listed(with.users);
  for (std::size_t t = 0; t < truth.users.size(); ++t) {
    if (with.everyone || listed.find(truth.users[t]) != kNoRow) set_apart(truth.users[t], t);
  }
  table_.close();
  return belief::Shared{with.users, {background_, total}, with.everyone, table_.assignment(), table_.weights};
}

belief::Beliefs Without::assignment(const dataset::EpochVisits& truth, const belief::Assignment& with,
                                    const StillIn& still_in, RoiId null_roi) {
  table_.clear();
  walk_both(with.users, truth.users, [&](UserId user, std::size_t row, std::size_t active) {
    const std::span<const RoiId> assigned = row == kNoRow ? std::span<const RoiId>() : with.rois_of(row);
    const std::uint32_t place = with.place_of(user);
    const bool limits = place < with.highest_limit();
    out_.clear();
    if (active == kNoRow) {
      if (assigned.back() == null_roi && !still_in(user, null_roi)) out_.push_back(null_roi);
    } else {
      for (const RoiId roi : truth.rois_of(active)) {
        const bool in = contains(assigned, roi) || (limits && with.limits[index_of(roi)] > place);
        if (in && !still_in(user, roi)) out_.push_back(roi);
      }
    }
    if (out_.empty()) return;
    places_.assign(assigned.begin(), assigned.end());
    for (std::size_t roi = 0; limits && roi < with.limits.size(); ++roi) {
      if (with.limits[roi] > place) places_.push_back(static_cast<RoiId>(roi));
    }
    std::sort(places_.begin(), places_.end());
    const std::size_t begin = table_.rois.size();
    std::set_difference(places_.begin(), places_.end(), out_.begin(), out_.end(), std::back_inserter(table_.rois));
    if (table_.rois.size() == begin) table_.rois.push_back(null_roi);
    table_.users.push_back(user);
    table_.begins.push_back(table_position(begin));
  });
  if (table_.users.empty()) return with;
  table_.close();
  belief::Assignment without = with;
  without.apart = table_.assignment();
  return without;
}

}  // namespace hearsay::goal
