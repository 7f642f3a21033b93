// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "attack/attack.h"
#include "attack/shift.h"
#include "base/radix_sort.h"
#include "base/table_position.h"
#include "belief/chances.h"

namespace hearsay::attack {
namespace {

// Calls row(user) and entry(roi, chance) for the users listed; every row ends with null.
template <typename Row, typename Entry>
void walk_rates(belief::Chances chances, RoiId null_roi, const Row& row, const Entry& entry) {
  const belief::SparseRows& rows = chances.rows();
  for (std::size_t r = 0; r < rows.users.size(); ++r) {
    chances.enter(r);
    row(rows.users[r]);
    for (std::size_t i = rows.begins[r]; i < rows.begins[r + 1]; ++i) entry(rows.rois[i], chances[i]);
    if (rows.rois_of(r).back() != null_roi) entry(null_roi, 0.0);
  }
}

// By ROI, those of users with no entry there; null's, the last, of users not listed.
void odds_elsewhere(const belief::Chances& chances, std::size_t rois, std::vector<double>& odds) {
  odds.assign(rois, odds_of(0));
  std::transform(chances.elsewhere().begin(), chances.elsewhere().end(), odds.begin(), odds_of);
  odds.back() = odds_of(chances.unlisted_null());
}

// Everybody's odds by place: those of users with an entry, the same together, ascending; and of all others.
class TiltSummary final : public Summary {
 public:
  TiltSummary(const belief::Beliefs& prior, const dataset::Crowd& crowd) : by_place_(crowd.rois) {
    const belief::Chances known(prior);
    odds_elsewhere(known, crowd.rois, elsewhere_);
    // Chances are few, people many: chances are numbered as they come up.
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::vector<double> chances;
    std::vector<std::uint64_t> keys;
    walk_rates(
        known, crowd.null_roi(), [](UserId) {},
        [&](RoiId roi, double chance) {
          const auto [found, fresh] = numbers.try_emplace(std::bit_cast<std::uint64_t>(chance), chances.size());
          if (fresh) chances.push_back(chance);
          keys.push_back(std::uint64_t{index_of(roi)} << 32 | found->second);
        });
    std::vector<std::uint64_t> scratch;
    radix_sort(keys, scratch);
    for (auto key = keys.begin(); key != keys.end();) {
      const auto next = std::find_if(key, keys.end(), [&](std::uint64_t other) { return other != *key; });
      by_place_[*key >> 32].push_back({odds_of(chances[*key & 0xffffffffU]), static_cast<double>(next - key)});
      key = next;
    }
    for (std::vector<OddsGroup>& groups : by_place_) put_together(groups);
  }

  void add(std::unique_ptr<Summary> next) override {
    auto& other = static_cast<TiltSummary&>(*next);
    for (std::size_t roi = 0; roi < by_place_.size(); ++roi) {
      by_place_[roi].insert(by_place_[roi].end(), other.by_place_[roi].begin(), other.by_place_[roi].end());
      put_together(by_place_[roi]);
    }
  }

  explicit TiltSummary(BytesReader& bytes) {
    bytes.get(by_place_);
    bytes.get(elsewhere_);
  }
  bool splits() const override { return false; }
  void write(PlaceRange, BytesWriter& bytes) const override {
    bytes.put(by_place_);
    bytes.put(elsewhere_);
  }

  // Appends two lists: those with an entry, and all others, of whom `rest` has room for a group.
  void list(std::size_t roi, std::size_t users, OddsGroup& rest, std::vector<std::span<const OddsGroup>>& lists) const {
    rest = {elsewhere_[roi], static_cast<double>(users)};
    for (const OddsGroup& group : by_place_[roi]) rest.people -= group.people;
    lists.emplace_back(by_place_[roi]);
    if (rest.people > 0) lists.emplace_back(&rest, 1);
  }

 private:
  static void put_together(std::vector<OddsGroup>& groups) {
    std::sort(groups.begin(), groups.end(), [](const OddsGroup& a, const OddsGroup& b) { return a.odds < b.odds; });
    std::size_t kept = 0;
    for (const OddsGroup& group : groups) {
      if (kept > 0 && groups[kept - 1].odds == group.odds) {
        groups[kept - 1].people += group.people;
      } else {
        groups[kept++] = group;
      }
    }
    groups.resize(kept);
  }

  std::vector<std::vector<OddsGroup>> by_place_;
  std::vector<double> elsewhere_;  // odds
};

struct TiltPlan final : Plan {
  std::vector<double> shifts;  // by ROI
  void write(BytesWriter& bytes) const override { bytes.put(shifts); }
};

const release::Missing* missing_at(const std::vector<release::Missing>& missing, std::size_t place, std::size_t epoch) {
  const auto found = std::lower_bound(
      missing.begin(), missing.end(), std::pair(epoch, place),
      [](const auto& one, const auto& at) { return std::pair<std::size_t, std::size_t>(one.epoch, one.place) < at; });
  const bool there = found != missing.end() && found->epoch == epoch && found->place == place;
  return there ? &*found : nullptr;
}

class TiltAttack final : public EpochAttack {
 public:
  bool reads_rates() const override { return true; }
  Reads reads() const override { return Reads::kRule; }

  bool summarises() const override { return true; }
  std::unique_ptr<Summary> summarise(const belief::Beliefs& prior, const dataset::Crowd& crowd) const override {
    return std::make_unique<TiltSummary>(prior, crowd);
  }

  std::unique_ptr<Plan> plan(const Evidence& evidence, EpochId epoch,
                             const release::EpochCounts& counts) const override {
    const release::Published& published = evidence.published;
    const release::Geometry& geometry = published.geometry();
    auto plan = std::make_unique<TiltPlan>();
    plan->shifts.resize(evidence.crowd.rois);
    const std::size_t null = evidence.crowd.rois - 1;
    const std::size_t published_epoch = geometry.epoch_of[index_of(epoch)];
    const auto shift_of = [&](const std::vector<Cell>& cells, double count, std::size_t place) {
      return shift(evidence, cells, count, missing_at(published.missing(), place, published_epoch), geometry.share);
    };
    if (geometry.is_fine()) {
      for (std::size_t roi = 0; roi <= null; ++roi)
        plan->shifts[roi] = shift_of({{roi, epoch}}, counts.dense[roi], roi);
      return plan;
    }
    // A count of several places and epochs: one shift for all of them. Null as it shows itself to anybody.
    std::vector<double> dense;
    const release::EpochCounts coarse = published.counts().at(static_cast<EpochId>(published_epoch), dense);
    std::vector<std::vector<Cell>> cells(geometry.places);
    for (std::size_t e = 0; e < geometry.epoch_of.size(); ++e) {
      if (geometry.epoch_of[e] != published_epoch) continue;
      for (std::size_t roi = 0; roi < null; ++roi) {
        cells[geometry.place_of[roi]].push_back({roi, static_cast<EpochId>(e)});
      }
    }
    std::vector<double> shifts(geometry.places);
    for (std::size_t place = 0; place < geometry.places; ++place) {
      shifts[place] = shift_of(cells[place], coarse.dense[place], place);
    }
    for (std::size_t roi = 0; roi < null; ++roi) plan->shifts[roi] = shifts[geometry.place_of[roi]];
    plan->shifts[null] = shift(evidence, {{null, epoch}}, counts.dense[null], nullptr, 1);
    return plan;
  }

  std::unique_ptr<Summary> read_summary(BytesReader& bytes) const override {
    return std::make_unique<TiltSummary>(bytes);
  }
  std::unique_ptr<Plan> read_plan(std::span<const std::string_view> parts, const dataset::Crowd&) const override {
    auto plan = std::make_unique<TiltPlan>();
    BytesReader(parts.front()).get(plan->shifts);
    return plan;
  }

  void enter_table(const belief::Beliefs& prior, belief::UserRange, std::size_t, const dataset::Crowd& crowd,
                   Workspace& workspace) const override {
    const belief::Chances chances(prior);
    belief::RowTable& table = workspace.table;
    table.clear();
    workspace.probabilities.clear();
    walk_rates(
        chances, crowd.null_roi(),
        [&](UserId user) {
          table.users.push_back(user);
          table.begins.push_back(table_position(table.rois.size()));
        },
        [&](RoiId roi, double chance) {
          table.rois.push_back(roi);
          workspace.probabilities.push_back(odds_of(chance));
        });
    table.close();
    table.weights.resize(table.rois.size());
    odds_elsewhere(chances, crowd.rois, workspace.background_weights);
  }

  belief::Beliefs infer_epoch(const belief::Beliefs&, belief::UserRange, const release::EpochCounts&, const Plan* plan,
                              const dataset::Crowd&, Workspace& workspace) const override {
    const std::vector<double>& shifts = static_cast<const TiltPlan&>(*plan).shifts;
    belief::RowTable& table = workspace.table;
    for (std::size_t i = 0; i < table.rois.size(); ++i) {
      table.weights[i] = shifted_chance(workspace.probabilities[i], shifts[index_of(table.rois[i])]);
    }
    workspace.elsewhere.resize(shifts.size());
    for (std::size_t roi = 0; roi < shifts.size(); ++roi) {
      workspace.elsewhere[roi] = shifted_chance(workspace.background_weights[roi], shifts[roi]);
    }
    return table.rates(workspace.elsewhere);
  }

 private:
  struct Cell {
    std::size_t roi;
    EpochId epoch;
  };

  // For the count of some cells together.
  static double shift(const Evidence& evidence, const std::vector<Cell>& cells, double count,
                      const release::Missing* missing, double share) {
    std::vector<OddsGroup> rests(cells.size());
    std::vector<std::span<const OddsGroup>> lists;
    lists.reserve(2 * cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& summary = static_cast<const TiltSummary&>(evidence.summary_at(cells[i].epoch));
      summary.list(cells[i].roi, evidence.crowd.people(), rests[i], lists);
    }
    const release::Rule& rule = evidence.published.rule();
    if (rule.exact && rule.base <= 1 && !rule.top && missing == nullptr) return shift_for(lists, count);
    return shift_for(lists, likely_count(count, missing, rule, expected_of(lists), share));
  }
};

}  // namespace

extern const AttackEntry tilt_attack;
const AttackEntry tilt_attack = {
    .info =
        {.position = 7,
         .name = "TILT",
         .summary = "She bends how often each person is where until it adds up to the counts.",
         .explanation =
             "Each rate r becomes odds r/(1-r) times one factor a place and epoch, such that chances add up to the "
             "count; null has a rate of its own. Rates are kept within 0.00001 of 0 and 1. A count of 0: nobody; at "
             "or above everybody: all of them. Where noise was added, the most likely count takes the place of the "
             "printed one; where a count is missing or rounded, the likeliest it can have been; where it is of "
             "several places or epochs, they share a factor, as if each person counted were in one of them; where "
             "it is of a sample, what it says of everybody. For "
             "priors that offer rates.",
         .parameters = {},
         .citation = "Deming and Stephan 1940, fitting margins; in the form of exponential tilting."},
    .output = Output::kRates,
    .needs_rates = true,
    .by_cell = true,
    .make = [](const Parameters&) -> std::unique_ptr<Attack> { return std::make_unique<TiltAttack>(); },
};

}  // namespace hearsay::attack
