// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "base/random.h"
#include "goal/combination.h"
#include "goal/goal.h"
#include "goal/releases.h"
#include "goal/trajectory_score.h"
#include "release/aggregate.h"

namespace hearsay::goal {
namespace {

constexpr const char* kName = "trajectories";

class TrajectoriesGoal final : public Goal {
 public:
  explicit TrajectoriesGoal(const Ground& ground)
      : ground_(ground), epochs_(epochs_of(ground)), methods_(ground.adversary.trajectories.methods) {
    const std::size_t people = ground.dataset.crowd().users;
    if (people > kMostTrajectories) {
      throw ConfigError("study.goals", kName,
                        fmt::format("{} people are too many to match with as many paths; at most {} are, such as the "
                                    "most active (data.users = {})",
                                    people, kMostTrajectories, kMostTrajectories));
    }
    if (methods_.empty()) methods_.push_back(trajectory::all_methods().front());
  }

  std::vector<std::string> parts() const override {
    std::vector<std::string> names = {kRaw};
    for (std::size_t i = 0; i < ground_.defences.size(); ++i) {
      if (Defence::covers(ground_.defences[i].goals, kName)) names.push_back(std::to_string(i + 1));
    }
    return names;
  }

  void run(const std::string& part, const Emit& emit) override {
    if (part == kRaw && ground_.published == nullptr) {
      pursue(release::aggregate(ground_.dataset.truth(), ground_.options.threads), 0, nullptr, 0, emit);
    } else if (part == kRaw) {
      pursue(releases().defend(*ground_.published, 1).publish().fine(), unseen(), nullptr, 0, emit);
    } else {
      const Defence& defence = ground_.defences[std::stoull(part) - 1];
      for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        pursue(releases().defend(defence, repeat).publish().fine(), unseen(), &defence, repeat, emit);
      }
    }
  }

 private:
  const Releases& releases() {
    if (ground_.releases != nullptr) return *ground_.releases;
    if (!releases_) releases_.emplace(ground_);
    return *releases_;
  }
  // People who are somewhere but not in the data.
  std::size_t unseen() const {
    const std::size_t users = ground_.dataset.crowd().users;
    return ground_.population.value_or(users) - users;
  }
  static std::size_t epochs_of(const Ground& ground) {
    const dataset::Calendar& calendar = ground.dataset.calendar();
    const std::size_t days = ground.adversary.trajectories.days;
    return days == 0 ? calendar.inference() : std::min<std::size_t>(calendar.inference(), days * calendar.per_day());
  }

  // What she sees: nothing of the truth goes in.
  trajectory::Scene scene_of(const release::Release& counts, std::size_t unseen) const {
    const dataset::Calendar& calendar = ground_.dataset.calendar();
    const std::vector<ingest::Roi>& rois = ground_.dataset.rois();
    std::vector<std::optional<trajectory::Position>> positions(rois.size());
    for (std::size_t i = 0; i < rois.size(); ++i) {
      if (rois[i].lat && rois[i].lng) positions[i] = {*rois[i].lat, *rois[i].lng};
    }
    const std::size_t people = ground_.dataset.crowd().users;
    std::vector<double> weights(rois.size() + 1);
    std::vector<std::vector<trajectory::Crowd>> epochs;
    std::vector<double> dense;
    for (std::size_t epoch = 0; epoch < epochs_; ++epoch) {
      const release::EpochCounts seen = counts.at(static_cast<EpochId>(epoch), dense);
      for (const RoiId roi : seen.rois) weights[index_of(roi)] += seen.dense[index_of(roi)];
      epochs.push_back(trajectory::whole_people(seen, people, unseen));
    }
    const std::uint64_t start = ground_.first_second + std::uint64_t{calendar.observe} * calendar.epoch_seconds;
    return {people, trajectory::Places(positions, weights), std::move(epochs), calendar.epoch_seconds,
            static_cast<std::uint32_t>(start % dataset::kDaySeconds)};
  }

  void pursue(const release::Release& counts, std::size_t unseen, const Defence* defence, std::size_t repeat,
              const Emit& emit) {
    const std::string release = defence == nullptr ? kRaw : defence->chain.name();
    if (ground_.options.progress) ground_.options.progress("recovering paths, " + release, 0, 0);
    if (!truth_) {
      const dataset::Truth truth = ground_.dataset.truth();
      truth_.emplace(membership::Grid{ground_.dataset.rois().size(), epochs_}, ground_.dataset.crowd().users,
                     ground_.options.threads, [&](std::size_t epoch) { return truth.at(static_cast<EpochId>(epoch)); });
    }
    const trajectory::Scene scene = scene_of(counts, unseen);
    const auto check = [&] { ground_.check_stop(); };
    for (const trajectory::MethodEntry* method : methods_) {
      const trajectory::Paths paths = method->create()->recover(scene, check);
      const trajectory::Paths dealt = shuffled(paths, mix(ground_.seed, kName));
      const std::size_t threads = ground_.options.threads;
      const TrajectoryScore found = score_paths(paths, *truth_, scene.places.null(), threads, check);
      const TrajectoryScore chance = score_paths(dealt, *truth_, scene.places.null(), threads, check);
      emit({{{"method", method->info.name},
             {"release", release},
             {"parameter", defence == nullptr ? "" : defence->parameter},
             {"repeat", std::to_string(repeat), true}},
            Unit::kUser,
            {{"right", found.right},
             {"shuffled", chance.right},
             {"right_active", found.right_active},
             {"shuffled_active", chance.right_active}}});
    }
  }

  const Ground& ground_;
  std::size_t epochs_;  // of the inference period, from its start
  std::vector<const trajectory::MethodEntry*> methods_;
  std::optional<Releases> releases_;  // where nobody has made them
  std::optional<Traces> truth_;
};

}  // namespace

extern const GoalEntry trajectories_goal;
const GoalEntry trajectories_goal = {
    .info =
        {.position = 4,
         .name = kName,
         .summary = "How far whole paths can be rebuilt from the counts alone, by somebody who knows nobody.",
         .explanation =
             "As many paths as there are people are made from the counts of every hour, hour by hour at the least cost "
             "in all. Paths and people are then matched one to one such that the most hours are right: the path is at "
             "one of the person's places, or in null as the person is. The same is done with shuffled people: the "
             "paths with the hours of each epoch dealt out anew. What right is above shuffled, the linking of hours "
             "found. [trajectories] of a study sets the days and the methods.",
         .parameters = {},
         .citation = "Xu, Tu, Li, Zhang, Fu, Jin: Trajectory Recovery from Ash: User Privacy Is NOT Preserved in "
                     "Aggregated Mobility Data. WWW 2017."},
    .make = [](const Ground& ground, const Parameters&) -> std::unique_ptr<Goal> {
      return std::make_unique<TrajectoriesGoal>(ground);
    },
};

}  // namespace hearsay::goal
