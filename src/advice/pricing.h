// SPDX-License-Identifier: Apache-2.0
//
// What candidates cost and are good for, measured as well as asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "advice/advice.h"
#include "advice/guard.h"
#include "goal/releases.h"

namespace hearsay::advice {

// The priors and attacks of a study that candidates are priced by.
struct Adversaries {
  std::vector<const prior::PriorEntry*> priors;
  std::vector<const attack::AttackEntry*> attacks;
};

// How well own loss is measured.
struct OwnFidelity {
  std::size_t draws = 1;
  std::size_t people = 0;          // whose errors are measured; 0: everybody's
  std::size_t control_sample = 4;  // taken out one by one where that is not cheap
};

// How well membership is.
struct GameFidelity {
  std::size_t targets = 0;
  std::size_t trials = 0;
  bool all_groups = false;  // else the smallest and the largest
};

struct OwnLoss {
  Value value;
  std::string goal;
  std::string prior;
  std::size_t people = 0;
};

// What a candidate's counts are good for.
struct Counted {
  std::vector<double> errors;  // MAE by draw
  double left_out = 0;         // mean share of the true counts above 0 that are not above 0 in it
  bool nothing = false;        // no count of any draw is above 0
};

// What a game of membership came to: the largest over its lines.
struct Played {
  Value value;
  std::size_t targets = 0;
  std::size_t trials = 0;
};

class Pricing {
 public:
  // All outlive it. Candidates are those that results know by name and parameters; no two are the same.
  Pricing(engine::Engine& engine, const experiment::Study& study, Guard& guard, std::uint64_t seed)
      : engine_(engine), study_(study), guard_(guard), seed_(seed) {}

  // All return false, having filled nothing, where time was over.
  // The adversaries that matter: the priors against which being counted costs most on the raw counts, and the attacks
  // that are the best responses with them.
  bool find_adversaries(std::size_t people, Adversaries& found);
  // What could be published without counting anybody in the period to be published.
  bool baselines(const Candidate& any, std::vector<goal::ReleaseResult>& found);
  // By candidate; what each promises as well.
  bool errors(std::span<Priced* const> candidates, std::size_t draws, std::vector<Counted>& found);
  bool own_losses(std::span<Priced* const> candidates, const Adversaries& adversaries, const OwnFidelity& how,
                  std::vector<OwnLoss>& found);
  // Asks before each candidate, in order, whether it is wanted, and hands over what came of it; none where no attack of
  // the study has anything to say of it.
  bool memberships(std::span<Priced* const> candidates, const GameFidelity& how,
                   const std::function<bool(std::size_t candidate)>& wanted,
                   const std::function<void(std::size_t candidate, const std::optional<Played>& played)>& take);

 private:
  // The study with these candidates for defences and one goal.
  experiment::Study study_of(std::span<Priced* const> candidates, const char* goal, std::size_t draws) const;

  engine::Engine& engine_;
  const experiment::Study& study_;
  Guard& guard_;
  std::uint64_t seed_;
};

}  // namespace hearsay::advice
