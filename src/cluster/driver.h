// SPDX-License-Identifier: Apache-2.0
//
// Runs a study over shares of the people that are worked on elsewhere: says what the next pass over them is, takes what
// it came to, and writes the results. Nothing here grows with the number of people.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/result_rows.h"
#include "cluster/row.h"
#include "cluster/share.h"
#include "cluster/told.h"
#include "goal/goal.h"
#include "goal/ranges.h"
#include "goal/releases.h"

namespace hearsay::cluster {

// Goals that draw groups of people, or match everybody with paths, are pursued on the driver, on so many visits at
// most.
inline constexpr std::uint64_t kMostVisitsOfGroups = 20'000'000;

struct DriverSettings {
  StudyText study;
  std::vector<ingest::Roi> rois;
  std::uint32_t columns = 0;
  std::size_t shares = 1;
  std::size_t threads = 1;
  std::uint64_t range_candidates = Told{}.range_candidates;
  std::uint64_t round_bytes = 256ULL << 20;  // of plans told at a time: priors go in rounds
};

// Where findings go, in the order of one machine.
struct DriverSink {
  std::function<void(const goal::ReleaseResult& release)> release;
  std::function<void(const goal::GoalEntry& goal, const goal::Measurement& measurement)> measurement;
  std::function<void(const results::PeopleFigures& people)> people;
};

class Driver {
 public:
  explicit Driver(DriverSettings settings);

  // The next pass over the shares: what they are told; none at the end. Throws ConfigError for what does not go on a
  // cluster.
  const Told* next();
  // One merged row of the pass.
  void take(std::string_view key, std::string_view value);

  // After the last pass: what was found, in order.
  void hand_over(const DriverSink& sink) const;
  const Told& told() const { return told_; }
  const experiment::Study& study() const { return *told_.parsed; }
  // Facts of everybody, from the counting pass on.
  std::uint64_t visits() const { return visits_; }
  std::uint64_t seen_at_most(std::size_t visits) const { return seen_[visits - 1]; }
  const std::vector<std::uint64_t>& visitors() const { return visitors_; }
  // Of a person that results name.
  std::string id_of(std::uint32_t number) const;

 private:
  // A release that an attack plans for with all places at once.
  struct Pending {
    goal::PlanId id;
    release::Published release;
  };
  using OfAttack = std::pair<std::uint32_t, std::uint32_t>;  // a prior and an attack
  using Values = std::map<Key, std::string>;

  void check() const;
  void finish_limit();
  void finish_count();
  void finish_prepare();
  void finish_plan();
  goal::Plans plans_without(const belief::Series& series, std::uint32_t prior, const goal::PlanId& id,
                            const release::Published& release) const;
  // What the people taken out come to, for the results to come.
  void measure_taken_out();
  void finish_infer();
  bool needs_prepare() const;
  bool asks_for_names();
  void hand_over_inference(const goal::GoalEntry& goal, const DriverSink& sink) const;
  bool learns() const;
  std::uint64_t bytes_of_plans(const prior::PriorEntry& prior) const;
  // Tells the priors of the next round; false after the last.
  bool next_round();
  bool needs_expect() const;
  // Asks for plans; false where no attack needs any.
  bool ask();
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> histograms(Subject subject) const;
  release::CountMatrix counts_of(Subject subject, std::uint32_t a, std::uint32_t b, std::size_t rois,
                                 std::size_t epochs) const;
  std::vector<Person> people_of(Subject subject, std::uint32_t of) const;

  DriverSettings settings_;
  Told told_;
  bool begun_ = false;
  bool expects_ = false;  // needs_expect(), which is the same for every round
  Values values_;         // of the pass at hand
  std::uint64_t visits_ = 0;
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> visitors_;
  std::optional<dataset::Dataset> taken_out_;  // the people taken out one by one
  std::optional<dataset::Dataset> everybody_;  // where a goal asks for all
  std::map<std::uint32_t, std::string> names_;
  std::map<OfAttack, std::vector<Pending>> pending_;
  // Summaries of everybody, of attacks that plan for all places at once; else those of each person taken out, in order.
  std::map<OfAttack, goal::Summaries> summaries_;
  std::map<OfAttack, std::vector<goal::Summaries>> person_summaries_;
  std::size_t priors_done_ = 0;
  struct Found {
    ErrorSums errors;
    results::PeopleFigures people;
  };
  std::vector<std::vector<Found>> found_;             // by prior
  std::vector<std::vector<belief::Lesson>> lessons_;  // by prior
};

}  // namespace hearsay::cluster
