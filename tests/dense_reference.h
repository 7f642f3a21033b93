// SPDX-License-Identifier: Apache-2.0
//
// The paper's formulas on dense arrays, written straight from its text and for nothing but small studies: every user,
// ROI and epoch is a cell, probabilities are exact fractions and logarithms long double. The fast code is checked
// against it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hearsay::reference {

// An exact fraction; small numbers only.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  long double value() const { return static_cast<long double>(numerator) / static_cast<long double>(denominator); }
};
Fraction operator+(Fraction a, Fraction b);
Fraction operator*(Fraction a, Fraction b);
Fraction operator/(Fraction a, Fraction b);
bool operator<(Fraction a, Fraction b);
bool operator==(Fraction a, Fraction b);

using Row = std::vector<Fraction>;               // by ROI, null last
using Profiles = std::vector<std::vector<Row>>;  // by user and inference epoch
using Assignments = std::vector<std::vector<std::vector<bool>>>;
using Chances = std::vector<std::vector<std::vector<long double>>>;  // by user, inference epoch and ROI
using Counts = std::vector<std::vector<std::int64_t>>;               // by inference epoch and ROI

struct World {
  std::size_t users = 0;  // in id order
  std::size_t rois = 0;   // null included, last
  std::size_t observe = 0;
  std::size_t epochs = 0;
  std::size_t day = 0;                                  // epochs in a day
  std::size_t hour = 1;                                 // epochs LAST_HOUR looks back
  std::vector<std::vector<std::vector<bool>>> visited;  // by user, epoch, ROI; null where nothing else

  std::size_t inference() const { return epochs - observe; }
};

Counts aggregate(const World& world);

struct Options {
  long double log_base = 2;
  Fraction delta = {1, 2};
};

struct Errors {
  std::vector<double> users;
  std::vector<double> active;              // over the epochs in which a user was somewhere; NaN: none
  std::vector<std::vector<double>> cells;  // by user and epoch
  std::vector<double> epochs;
  std::vector<double> rois;  // profiling only: over all users and epochs truly there; null left out; NaN: nobody was
};

// Errors by "goal prior attack decision", for all priors given and all attacks and goals.
std::map<std::string, Errors> evaluate(const World& world, const Counts& counts, const std::vector<std::string>& priors,
                                       const Options& options);

// The same, each user's errors on counts that this user was really taken off; of every `step`th user.
std::map<std::string, Errors> evaluate_without(const World& world, const std::vector<std::string>& priors,
                                               const Options& options, std::size_t step);

}  // namespace hearsay::reference
