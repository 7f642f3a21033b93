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

// The MAE of what could be published without counting anybody.
struct BaselineError {
  std::string name;
  double mae = 0;
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
  bool baselines(const Candidate& any, std::vector<BaselineError>& found);
  // By candidate and draw; what each promises as well.
  bool errors(std::span<Priced* const> candidates, std::size_t draws, std::vector<std::vector<double>>& found);
  bool own_losses(std::span<Priced* const> candidates, const Adversaries& adversaries, const OwnFidelity& how,
                  std::vector<OwnLoss>& found);
  // Asks before each candidate, in order, whether it is wanted, and hands over what came of it.
  bool memberships(std::span<Priced* const> candidates, const GameFidelity& how,
                   const std::function<bool(std::size_t candidate)>& wanted,
                   const std::function<void(std::size_t candidate, const Value& value)>& take);

 private:
  // The study with these candidates for defences and one goal.
  experiment::Study study_of(std::span<Priced* const> candidates, const char* goal, std::size_t draws) const;

  engine::Engine& engine_;
  const experiment::Study& study_;
  Guard& guard_;
  std::uint64_t seed_;
};

}  // namespace hearsay::advice
