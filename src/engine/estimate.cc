// SPDX-License-Identifier: Apache-2.0
#include "engine/estimate.h"

#include <algorithm>
#include <cmath>

namespace hearsay::engine {
namespace {

// Bytes.
constexpr std::uint64_t kProgram = 150ULL << 20;  // the program itself and DuckDB's buffers
constexpr std::uint64_t kEvent = 8;               // while reading; the visits of an epoch take its place
constexpr std::uint64_t kStoredVisit = 12;
constexpr std::uint64_t kReadEpoch = 48;         // of each thread, while reading
constexpr std::uint64_t kReadBlock = 320;        // of each thread and epoch with events, while reading
constexpr std::uint64_t kInferredEpoch = 3'000;  // what is published, believed and measured of an epoch
constexpr std::uint64_t kEpochPlace = 150;       // of each of the first places besides,
constexpr std::uint64_t kMostEpochPlaces = 100;  // since few people are in more of them at once,
constexpr std::uint64_t kEpochCount = 16;        // and of every place
constexpr std::uint64_t kThread = 16ULL << 20;   // buffers of a worker
constexpr std::uint64_t kUser = 64;
constexpr std::uint64_t kRoi = 160;
constexpr std::uint64_t kPriorVisit = 32;        // rows of a prior, for a visit observed
constexpr std::uint64_t kFittedVisit = 96;       // the same of a prior that is fitted, and its rows while they are made
constexpr std::uint64_t kFit = 256ULL << 20;     // examples and traces that it is fitted on
constexpr std::uint64_t kSummarisedVisit = 32;   // candidates of the attacks that assign people
constexpr std::uint64_t kUserError = 16;         // its error, and that over active epochs; as many without the user
constexpr std::uint64_t kGameCounts = 8;         // counts of a cell that a worker of the membership game keeps
constexpr std::uint64_t kPathHour = 32;          // of one person's path: itself, shuffled, and who is where
constexpr std::uint64_t kWay = 150;              // from a person to a place, while paths are rebuilt
constexpr std::uint64_t kMostWays = 10'000'000;  // more are refused (trajectory/steps.h)
constexpr std::uint64_t kUserAndAdversary = 24;  // a comparison at hand, and what reports keep

// Seconds, on one core.
constexpr double kEventSeconds = 200e-9;
constexpr double kControl = 1.6;              // times, with the control
constexpr double kVisitSeconds = 130e-9;      // for each prior and release
constexpr double kUserEpochSeconds = 130e-9;  // for each release, where a prior says something of everybody always
constexpr double kFittedSeconds = 150e-9;     // for each user and epoch, where a prior is fitted

// Two threads do 1.7 times the work of one.
double on_threads(double seconds, std::size_t threads) {
  return seconds / std::pow(static_cast<double>(threads), 0.77);
}

// Readings of all attacks' output, by goal and decision, for one prior.
std::uint64_t scores_of(const experiment::Study& study) {
  std::uint64_t scores = 0;
  for (const attack::AttackEntry* attack : study.adversary.attacks) {
    for (const metric::MetricEntry* goal : study.adversary.goals) {
      // A few too many of rates, which not all read.
      const bool assigns = attack->output == attack::Output::kAssignment;
      const belief::Kind kind = assigns ? belief::Kind::kAssignment : belief::Kind::kDistribution;
      const auto& all = study.adversary.decisions;
      const auto reads = [&](const decision::DecisionEntry* entry) { return entry->reads(kind, goal->decides); };
      scores += static_cast<std::uint64_t>(std::count_if(all.begin(), all.end(), reads)) + (goal->decides ? 0 : 1);
    }
  }
  return scores;
}

}  // namespace

DataSize size_of(const dataset::Dataset& dataset) {
  return {dataset.crowd().users, dataset.crowd().rois, dataset.visits().size()};
}

Estimate estimate_reading(const experiment::Study& study, std::uint64_t events, std::size_t threads) {
  std::uint64_t rois = 0;
  if (const auto* grid = std::get_if<ingest::Grid>(&study.data.rois)) rois = std::uint64_t{grid->rows} * grid->cols;
  const std::uint64_t epochs = std::uint64_t{study.data.period.epochs} * threads;
  return {kProgram + events * kEvent + rois * kRoi + epochs * kReadEpoch + std::min(events, epochs) * kReadBlock,
          on_threads(static_cast<double>(events) * kEventSeconds, threads)};
}

Estimate estimate_run(const experiment::Study& study, const DataSize& size, std::size_t threads) {
  const dataset::Calendar calendar = study.calendar();
  const double observed_share = static_cast<double>(calendar.observe) / static_cast<double>(calendar.epochs);
  const auto observed = static_cast<std::uint64_t>(static_cast<double>(size.visits) * observed_share);
  std::uint64_t bytes =
      kProgram + threads * kThread + size.visits * kStoredVisit + size.users * kUser + size.rois * kRoi;
  bytes += std::uint64_t{calendar.inference()} *
           (kInferredEpoch + kEpochPlace * std::min(size.rois, kMostEpochPlaces) + kEpochCount * size.rois);
  const auto& priors = study.adversary.priors;
  const auto fitted = std::count_if(priors.begin(), priors.end(), [](const auto* prior) { return prior->only_rates; });
  bytes += observed * ((fitted > 0 ? kFittedVisit : kPriorVisit) + kSummarisedVisit);
  // Usual levels of every ROI, and the chances of those who have no entry there, by time of the week or epoch.
  if (fitted > 0) {
    const std::uint64_t week = std::uint64_t{7} * calendar.per_day();
    bytes += kFit + sizeof(double) * size.rois * (4 * week + calendar.inference());
  }
  const std::uint64_t controlled = study.adversary.control ? 2 : 1;
  bytes += size.users * (scores_of(study) * kUserError * controlled * (study.defences.empty() ? 1 : 2) +
                         kUserAndAdversary * controlled);
  // A perturbed release, and the raw one beside it, have a count for every ROI and epoch.
  if (!study.defences.empty() || study.published) bytes += 4 * sizeof(double) * size.rois * calendar.inference();

  // The game of membership has everybody's visits by person, and for each worker a few counts of every cell.
  const auto plays = [](const goal::GoalEntry* entry) { return entry->info.name == "membership"; };
  if (std::any_of(study.goals.begin(), study.goals.end(), plays)) {
    const std::uint64_t cells = std::uint64_t{size.rois} * calendar.inference();
    bytes += (size.visits - observed) * sizeof(std::uint32_t) + size.users * sizeof(std::uint64_t) * (1 + threads);
    bytes += cells * sizeof(double) * kGameCounts * (threads + 1);
    const goal::MembershipSpec& spec = study.adversary.membership;
    const std::uint64_t targets = spec.targets == 0 ? size.users : std::min<std::uint64_t>(spec.targets, size.users);
    bytes +=
        targets * spec.trials * 2 * sizeof(double) * spec.target.size() * std::max<std::size_t>(1, spec.attacks.size());
  }

  // Paths are matched with people: a number for each of one and each of the other.
  const auto recovers = [](const goal::GoalEntry* entry) { return entry->info.name == "trajectories"; };
  if (std::any_of(study.goals.begin(), study.goals.end(), recovers) && size.users <= goal::kMostTrajectories) {
    bytes += std::uint64_t{size.users} * size.users * sizeof(std::int32_t);
    bytes += (size.visits - observed) * sizeof(std::uint32_t) + size.users * calendar.inference() * kPathHour;
    bytes += std::min<std::uint64_t>(kMostWays, size.users * size.rois) * kWay;
  }

  const auto attacks = static_cast<double>(study.adversary.attacks.size());
  double attacked = static_cast<double>(study.adversary.priors.size());  // priors and releases
  double everybody = 0;                                                  // of these, with a row for everybody
  for (const prior::PriorEntry* prior : study.adversary.priors) everybody += prior->for_everybody ? 1 : 0;
  for (const goal::Defence& defence : study.defences) {
    for (const prior::PriorEntry* prior : study.adversary.priors) {
      if (!goal::Defence::covers(defence.priors, prior->info.name)) continue;
      const double share = defence.attacks.empty() ? 1.0 : static_cast<double>(defence.attacks.size()) / attacks;
      attacked += share * static_cast<double>(defence.repeats);
      everybody += prior->for_everybody ? share * static_cast<double>(defence.repeats) : 0;
    }
  }
  const double user_epochs = static_cast<double>(size.users) * static_cast<double>(calendar.inference());
  const double seconds = static_cast<double>(size.visits) * attacked * kVisitSeconds +
                         user_epochs * everybody * kUserEpochSeconds +
                         user_epochs * static_cast<double>(fitted) * kFittedSeconds;
  return {bytes, on_threads(study.adversary.control ? seconds * kControl : seconds, threads)};
}

}  // namespace hearsay::engine
