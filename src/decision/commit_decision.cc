// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/table_position.h"
#include "base/user_rows.h"
#include "belief/chances.h"
#include "decision/decision.h"

namespace hearsay::decision {
namespace {

constexpr int kMostSteps = 100;
// What is no better but for rounding is no better.
constexpr double kRounding = 1e-9;
// 1 / (e^x - 1) is nothing beyond this.
constexpr double kFar = 40;

// A place, its chance given that the person is somewhere, and its share of the profile.
struct Place {
  RoiId roi;
  double chance;
  double share = 0;
};

// The profile over places, given that a person is in some of them, each with its chance: with m the number of places
// expected, the expected divergence from a profile of m places is least for shares of 1 / (m (e^(c / chance) - 1)),
// with c such that they sum to 1. `sum`: of all chances, those of places that are not listed among them; these must be
// too small to get a share. Leaves out places without one. Returns the expected divergence, in natural logarithms.
double fit_profile(std::vector<Place>& places, double sum) {
  double most = 0;
  double listed = 0;
  for (const Place& place : places) {
    most = std::max(most, place.chance);
    listed += place.chance;
  }
  const double m = std::max(sum, 1.0);
  // Never larger than it must be: where the likeliest place alone has a share of 1, or all have the mean chance, which
  // gives them no more together, shares being convex in chances.
  const auto number = static_cast<double>(places.size());
  double c = std::max(most * std::log1p(1 / m), listed / number * std::log1p(number / m));
  std::erase_if(places, [&](const Place& place) { return c > kFar * place.chance; });
  for (int step = 0; step < kMostSteps; ++step) {
    double shares = 0;
    double slope = 0;
    for (const Place& place : places) {
      const double x = c / place.chance;
      if (x > kFar) continue;
      const double share = 1 / std::expm1(x);
      shares += share;
      slope += share * (1 + share) / place.chance;
    }
    if (shares - m <= 1e-14 * m) break;
    c += std::log(shares / m) * shares / slope;  // the logarithm falls ever more slowly: never too far
    if (shares - m <= 1e-9 * m) break;           // a step squares the error
  }
  // Where the person is, both profiles have the place; else half of its share times ln 2.
  const double p = 1 / m;
  double without_share = sum;
  double divergence = 0;
  double total = 0;
  for (Place& place : places) {
    const double x = c / place.chance;
    const double q = x > kFar ? 0 : 1 / std::expm1(x) / m;
    place.share = q;
    total += q;
    if (q == 0) continue;
    without_share -= place.chance;
    const double there = 0.5 * (p * std::log(2 * p / (p + q)) + q * std::log(2 * q / (p + q)));
    divergence += place.chance * there + 0.5 * std::numbers::ln2 * (1 - place.chance) * q;
  }
  std::erase_if(places, [](const Place& place) { return place.share == 0; });
  for (Place& place : places) place.share /= total;
  return divergence + 0.5 * std::numbers::ln2 * p * std::fmax(0.0, without_share);
}

class CommitReading final : public Reading {
 public:
  CommitReading(belief::UserRange users, RoiId null_roi) : range_(users), null_(null_roi) {}

  Prediction predict(const belief::Beliefs& beliefs) override {
    if (std::holds_alternative<belief::Shared>(beliefs)) return {beliefs};
    belief::Chances chances(beliefs);
    const belief::SparseRows& rows = chances.rows();
    table_.clear();
    if (commit_to_places({}, 0, 0, chances.unlisted_null(), chances)) {
      // Those not listed are somewhere: everybody has a row.
      const std::vector<Place> common = places_;
      RowFinder finder(rows.users);
      for (std::size_t u = index_of(range_.begin); u < index_of(range_.end); ++u) {
        const auto user = static_cast<UserId>(u);
        const std::size_t row = finder.find(user);
        if (row == kNoRow) {
          add_row(user, common);
        } else {
          commit(rows, row, chances);
        }
      }
    } else {
      for (std::size_t row = 0; row < rows.users.size(); ++row) commit(rows, row, chances);
    }
    table_.close();
    profiles_ = table_.rows();
    return {profiles_};
  }

 private:
  void commit(const belief::SparseRows& rows, std::size_t row, belief::Chances& chances) {
    chances.enter(row);
    const std::span<const RoiId> rois = rows.rois_of(row);
    const bool has_null = rois.back() == null_;
    const std::size_t places = rois.size() - (has_null ? 1 : 0);
    const double null = has_null ? chances[rows.begins[row] + places] : 0;
    if (commit_to_places(rois.first(places), rows.begins[row], places, null, chances))
      add_row(rows.users[row], places_);
  }

  // Whether she does better with a profile of places than with null; puts it into places_. The person has entries from
  // `begin` on.
  bool commit_to_places(std::span<const RoiId> rois, std::size_t begin, std::size_t entries, double null,
                        const belief::Chances& chances) {
    // Who is in a place is not in null.
    null = std::min(null, 1 - likeliest(rois, begin, chances));
    if (null >= 0.5 - kRounding) return false;
    const double active = 1 - null;
    const auto given = [&](double chance) { return std::min(chance / active, 1.0); };
    const std::span<const double> floors = chances.elsewhere();
    places_.clear();
    double sum = 0;
    double most = 0;
    double here = 0;  // what the places with an entry have elsewhere
    for (std::size_t i = 0; i < entries; ++i) {
      const double chance = given(chances[begin + i]);
      if (!floors.empty()) here += given(floors[index_of(rois[i])]);
      if (chance <= 0) continue;
      places_.push_back({rois[i], chance});
      sum += chance;
      most = std::max(most, chance);
    }
    double elsewhere = chances.elsewhere_sum() / active;
    if (chances.elsewhere_most() > active) {
      elsewhere = 0;
      for (const double chance : floors) elsewhere += given(chance);
    }
    sum += std::fmax(0.0, elsewhere - here);
    // Those that could get a share beside the likeliest.
    const double least = most * std::log1p(1 / std::max(sum, 1.0)) / kFar;
    if (chances.elsewhere_most() > 0 && given(chances.elsewhere_most()) >= least) {
      const auto entries_end = static_cast<std::ptrdiff_t>(places_.size());
      belief::for_elsewhere(floors, rois, active * least, [&](RoiId roi, double chance) {
        places_.push_back({roi, given(chance)});
      });
      std::inplace_merge(places_.begin(), places_.begin() + entries_end, places_.end(),
                         [](const Place& a, const Place& b) { return a.roi < b.roi; });
    }
    if (places_.empty()) return false;
    // Distances in units of the largest: null is right or all wrong.
    const double divergence = fit_profile(places_, sum);
    return null + active * std::sqrt(std::fmax(0.0, divergence) / std::numbers::ln2) < active - kRounding;
  }

  // The largest chance of any place.
  static double likeliest(std::span<const RoiId> rois, std::size_t begin, const belief::Chances& chances) {
    double most = 0;
    for (std::size_t i = 0; i < rois.size(); ++i) most = std::max(most, chances[begin + i]);
    if (chances.elsewhere_most() <= most) return most;
    belief::for_elsewhere(chances.elsewhere(), rois, most,
                          [&](RoiId, double chance) { most = std::max(most, chance); });
    return most;
  }

  void add_row(UserId user, const std::vector<Place>& places) {
    table_.users.push_back(user);
    table_.begins.push_back(table_position(table_.rois.size()));
    for (const Place& place : places) {
      table_.rois.push_back(place.roi);
      table_.weights.push_back(place.share);
    }
  }

  belief::UserRange range_;
  RoiId null_;
  std::vector<Place> places_;
  belief::RowTable table_;
  belief::Beliefs profiles_;
};

class CommitDecision final : public Decision {
 public:
  std::unique_ptr<Reading> read(belief::UserRange users, const dataset::Crowd& crowd) const override {
    return std::make_unique<CommitReading>(users, crowd.null_roi());
  }
};

}  // namespace

extern const DecisionEntry commit_decision;
const DecisionEntry commit_decision = {
    .info =
        {.position = 5,
         .name = "COMMIT",
         .summary = "She settles on null or on a profile of places, whichever she expects to be less far off.",
         .explanation =
             "In each epoch, null, whose chance is at most what the likeliest place leaves, or the profile that has "
             "the least expected Jensen-Shannon divergence given that "
             "the person is somewhere: q = 1 / (m (exp(c / chance) - 1)) with m the expected number of places and c "
             "such that q sums to 1. Two approximations: the number of places is taken for m, and the expected "
             "distance for the root of the expected divergence. Beliefs that many share are left as they are.",
         .parameters = {},
         .citation = "The form follows from setting the derivative of the expected divergence to 0."},
    .of_rates = true,
    .profiles = true,
    .make = [](const Parameters&) -> std::unique_ptr<Decision> { return std::make_unique<CommitDecision>(); },
};

}  // namespace hearsay::decision
