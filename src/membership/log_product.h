// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace hearsay::membership {

// The logarithm of a product of many numbers, by one logarithm.
class LogProduct {
 public:
  void multiply(double factor) {
    product_ *= factor;
    if (product_ < 1e-100 || product_ > 1e100) settle();
  }
  double log() const {
    return product_ > 0 ? std::log(product_) + static_cast<double>(exponent_) * std::numbers::ln2
                        : -std::numeric_limits<double>::infinity();
  }

 private:
  void settle() {
    if (product_ <= 0 || std::isinf(product_)) return;
    int exponent = 0;
    product_ = std::frexp(product_, &exponent);
    exponent_ += exponent;
  }
  double product_ = 1;
  std::int64_t exponent_ = 0;
};

}  // namespace hearsay::membership
