// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace hearsay::membership {

// The logarithm of a product of many numbers, without one for each. Factors lie between 1e-45 and 1e45, or are 0. Four
// products are kept, so that none waits for the one before.
class LogProduct {
 public:
  void multiply(double factor) {
    products_[number_ % kProducts] *= factor;
    if (++number_ % (4 * kProducts) == 0) settle();
  }
  // Four at once, in this order.
  void multiply(double a, double b, double c, double d) {
    products_[0] *= a;
    products_[1] *= b;
    products_[2] *= c;
    products_[3] *= d;
    if ((number_ += 4) % (4 * kProducts) == 0) settle();
  }
  double log() const {
    double sum = static_cast<double>(exponent_) * std::numbers::ln2;
    for (const double product : products_) {
      sum += product > 0 ? std::log(product) : -std::numeric_limits<double>::infinity();
    }
    return sum;
  }

 private:
  static constexpr unsigned kProducts = 4;

  void settle() {
    for (double& product : products_) {
      if ((product > 1e-100 && product < 1e100) || product == 0) continue;
      int exponent = 0;
      product = std::frexp(product, &exponent);
      exponent_ += exponent;
    }
  }
  double products_[kProducts] = {1, 1, 1, 1};
  std::int64_t exponent_ = 0;
  unsigned number_ = 0;
};

}  // namespace hearsay::membership
