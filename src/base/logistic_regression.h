// SPDX-License-Identifier: Apache-2.0
//
// Logistic regression by liblinear: Fan, Chang, Hsieh, Wang, Lin: LIBLINEAR: A Library for Large Linear Classification.
// JMLR 9 (2008).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hearsay {

enum class Penalty { kAbsolute, kSquare };  // of the weights: L1, L2

// The decision value of features x is intercept + the sum of weights x features; above 0 speaks for label 1.
struct LinearModel {
  std::vector<double> weights;
  double intercept = 0;
};

// Features of examples, one row after another, with a label, 0 or 1, for each row; both occur. Features are
// standardised to mean 0 and variance 1 over the rows, and those that never vary get no weight; the model is about
// features as they were given. `cost` above 0 weighs the examples against the penalty, `weights` those of each label.
// A larger `tolerance` ends sooner. The same model whatever the thread. With kAbsolute one fit at a time: that solver
// of liblinear draws its order from rand(), whose state is the process's; it is put back as it was. Memory: 16 bytes a
// feature and row, twice that with kAbsolute.
LinearModel fit_logistic(std::span<const double> rows, std::span<const std::uint8_t> labels, Penalty penalty,
                         double cost, std::array<double, 2> weights = {1, 1}, double tolerance = 1e-4);

}  // namespace hearsay
