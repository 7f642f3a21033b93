// SPDX-License-Identifier: Apache-2.0
#include "attack/likely_counts.h"

#include <cmath>

#include "attack/shift.h"
#include "belief/chances.h"

namespace hearsay::attack {
namespace {

constexpr double kUnit = 0x1p-36;  // of chances added up: room for 2^27 people

class Sums {
 public:
  explicit Sums(std::size_t rois) : sums_(rois), entries_(rois) {}

  void add(std::size_t roi, double chance, std::uint64_t people = 1) {
    sums_[roi] += static_cast<std::uint64_t>(std::llround(chance / kUnit)) * people;
    entries_[roi] += people;
  }
  // Everybody else, of so many.
  void add_rest(std::size_t roi, double chance, std::size_t users) { add(roi, chance, users - entries_[roi]); }
  const std::vector<std::uint64_t>& units() const { return sums_; }

 private:
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> entries_;  // people
};

void add_chances(belief::Chances chances, const dataset::Crowd& crowd, Sums& sums) {
  const belief::SparseRows& rows = chances.rows();
  for (std::size_t row = 0; row < rows.users.size(); ++row) {
    chances.enter(row);
    for (std::size_t i = rows.begins[row]; i < rows.begins[row + 1]; ++i) sums.add(index_of(rows.rois[i]), chances[i]);
  }
  for (std::size_t roi = 0; roi < chances.elsewhere().size(); ++roi) {
    sums.add_rest(roi, chances.elsewhere()[roi], crowd.users);
  }
  sums.add(crowd.rois - 1, chances.unlisted_null(), crowd.users - rows.users.size());
}

void add_shared(const belief::Shared& shared, const dataset::Crowd& crowd, Sums& sums) {
  const std::size_t listed = shared.everyone ? crowd.users : shared.users.size();
  for (std::size_t roi = 0; roi < crowd.rois; ++roi) {
    sums.add(roi, shared.background.weights[roi] / shared.background.total, listed);
  }
  sums.add(crowd.rois - 1, 1, crowd.users - listed);
}

void add_assigned(const belief::Assignment& assigned, const dataset::Crowd& crowd, Sums& sums) {
  for (std::size_t row = 0; row < assigned.users.size(); ++row) {
    for (const RoiId roi : assigned.rois_of(row)) sums.add(index_of(roi), 1);
  }
  sums.add(crowd.rois - 1, 1, crowd.users - assigned.users.size());
}

}  // namespace

std::vector<std::uint64_t> expected_units(const belief::Beliefs& table, const dataset::Crowd& crowd) {
  Sums sums(crowd.rois);
  if (const auto* shared = std::get_if<belief::Shared>(&table)) {
    add_shared(*shared, crowd, sums);
  } else if (const auto* assigned = std::get_if<belief::Assignment>(&table)) {
    add_assigned(*assigned, crowd, sums);
  } else {
    add_chances(belief::Chances(table), crowd, sums);
  }
  return sums.units();
}

std::vector<double> people_of_units(std::span<const std::uint64_t> units) {
  std::vector<double> counts;
  counts.reserve(units.size());
  for (const std::uint64_t sum : units) counts.push_back(static_cast<double>(sum) * kUnit);
  return counts;
}

bool reads_otherwise(const release::Published& published, Reads reads) {
  if (reads == Reads::kRule) return false;
  if (!published.missing().empty()) return true;
  const release::Rule& rule = published.rule();
  return reads == Reads::kLikely && (!rule.exact || rule.base > 1 || rule.top);
}

release::Published as_read(const release::Published& published, Reads reads, std::size_t users,
                           const std::function<const std::vector<double>&(EpochId epoch)>& expected) {
  const release::Geometry& geometry = published.geometry();
  const std::size_t null = geometry.place_of.size();
  release::CountMatrix means(geometry.places + 1, geometry.epochs);
  for (std::size_t epoch = 0; epoch < geometry.epoch_of.size(); ++epoch) {
    const std::vector<double>& here = expected(static_cast<EpochId>(epoch));
    const std::size_t coarse = geometry.epoch_of[epoch];
    for (std::size_t roi = 0; roi < null; ++roi) means.series(geometry.place_of[roi])[coarse] += here[roi];
    means.series(geometry.places)[coarse] += here[null];
  }
  release::CountMatrix counts(published.counts());
  const auto likely = [&](std::size_t place, std::size_t epoch, const release::Missing* missing) {
    const double mean = means.series(place)[epoch];
    double& count = counts.series(place)[epoch];
    count = geometry.share * likely_count(count, missing, published.rule(), {mean, mean + 1}, geometry.share);
  };
  if (reads == Reads::kLikely) {
    // Null of coarse counts is of people who are nowhere for long: a prior has no number for these.
    const std::size_t places = geometry.is_fine() ? geometry.places + 1 : geometry.places;
    for (std::size_t place = 0; place < places; ++place) {
      for (std::size_t epoch = 0; epoch < geometry.epochs; ++epoch) likely(place, epoch, nullptr);
    }
  }
  for (const release::Missing& missing : published.missing()) likely(missing.place, missing.epoch, &missing);
  return {counts, geometry, users, {}, published.guarantee(), published.rule()};
}

}  // namespace hearsay::attack
