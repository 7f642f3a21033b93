// SPDX-License-Identifier: Apache-2.0
//
// What being counted costs, from errors by user: of each goal, prior and draw of a release the own part of her best
// response, and how sure it is where not everybody was measured.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "advice/pricing.h"
#include "goal/combination.h"
#include "goal/measurement.h"

namespace hearsay::advice {

// One goal and prior against one draw.
struct OwnPart {
  std::string goal;
  std::string prior;
  std::string release;
  std::string parameter;
  std::size_t repeat = 0;
  double share = 0;       // of the error on counts without the person
  double half_width = 0;  // of it, 95%, where people are a sample
  std::size_t people = 0;
  std::string with_attack;
  std::string without_attack;
};

// Figures of the people who were measured, by number: few of all, where they are a sample.
struct Figures {
  std::vector<std::uint32_t> people;
  std::vector<double> values;
};

class OwnLedger {
 public:
  explicit OwnLedger(const goal::AdversarySpec& adversary) : adversary_(adversary) {}

  // What inference found; all but that by user is left aside.
  void take(const goal::Measurement& measurement);
  std::vector<OwnPart> parts() const;

 private:
  struct Errors {
    goal::Combination combination;
    std::size_t users = 0;  // measured or not
    Figures with;
    Figures without;
  };
  const Errors* find(const std::string& goal, const std::string& prior, const std::string& attack,
                     const std::string& decision, const std::string& release, const std::string& parameter,
                     std::size_t repeat) const;

  const goal::AdversarySpec& adversary_;
  std::vector<Errors> all_;
  std::map<goal::Key, std::size_t> places_;  // without the baseline
};

// The largest over goals and priors, each a mean over draws with its interval.
OwnLoss own_loss_of(const std::vector<OwnPart>& parts, const std::string& release, const std::string& parameter);

}  // namespace hearsay::advice
