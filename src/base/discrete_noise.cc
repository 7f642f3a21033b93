// SPDX-License-Identifier: Apache-2.0
#include "base/discrete_noise.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cassert>
#include <cmath>
#include <numbers>

namespace hearsay {
namespace {

using Integer = boost::multiprecision::cpp_int;
__extension__ using Wide = unsigned __int128;

// Returns a whole number within 1 of exp(-numerator / denominator) 2^size. It adds up the Taylor series of a fraction
// so small that its terms vanish fast, and squares the sum; 80 further digits take in what rounding adds to every term
// and what doubles with every square.
Integer exp_digits(const Integer& numerator, const Integer& denominator, unsigned size) {
  unsigned squares = 8;
  while (Integer(denominator << (squares - 8)) < numerator) ++squares;
  const unsigned precision = size + squares + 80;
  const Integer fraction = (numerator << precision) / (denominator << squares);
  Integer term = Integer(1) << precision;
  Integer sum = term;
  for (unsigned i = 1; term != 0; ++i) {
    term = (term * fraction >> precision) / i;
    if (i % 2 == 1) {
      sum -= term;
    } else {
      sum += term;
    }
  }
  for (unsigned i = 0; i < squares; ++i) sum = sum * sum >> precision;
  return sum >> (precision - size);
}

// Holds a uniform number in [0, 1), of which as many binary digits are drawn as a comparison takes.
class Uniform {
 public:
  // `first`: its first `size` digits, which were drawn already.
  Uniform(RandomBits& bits, std::uint64_t first, unsigned size) : bits_(bits), digits_(first), size_(size) {}

  // Whether it is below exp(-numerator / denominator).
  bool is_below_exp(const Integer& numerator, const Integer& denominator) {
    for (;; draw()) {
      const Integer limit = exp_digits(numerator, denominator, size_);
      if (digits_ + 1 < limit) return true;
      if (digits_ > limit + 1) return false;
    }
  }

  // The logarithm, but for rounding.
  double near_log() {
    draw();
    while (digits_ == 0) draw();
    const unsigned over = std::max(64U, boost::multiprecision::msb(digits_)) - 64;
    return std::log(static_cast<double>(Integer(digits_ >> over))) -
           std::numbers::ln2 * (static_cast<double>(size_) - static_cast<double>(over));
  }

 private:
  void draw() {
    digits_ = (digits_ << 64) + bits_();
    size_ += 64;
  }

  RandomBits& bits_;
  Integer digits_;
  unsigned size_;
};

// Returns the k with exp(-(k + 1) inverse / scale) <= u < exp(-k inverse / scale).
std::int64_t exact_steps(Uniform u, std::uint64_t scale, std::uint64_t inverse) {
  const double ratio = static_cast<double>(scale) / static_cast<double>(inverse);
  auto k = static_cast<std::int64_t>(-u.near_log() * ratio);
  const auto is_above = [&](std::int64_t steps) { return u.is_below_exp(Integer(steps) * inverse, scale); };
  while (is_above(k + 1)) ++k;
  while (k > 0 && !is_above(k)) --k;
  return k;
}

// True with probability exp(-numerator / denominator); `near` is this fraction, but for rounding.
bool bernoulli_exp(RandomBits& bits, double near, Wide numerator, Wide denominator) {
  const std::uint64_t word = bits();
  const double apart = unit_of(word) - std::exp(-near);
  constexpr double kCertain = 0x1p-40;
  if (std::fabs(apart) > kCertain) return apart < 0;
  return Uniform(bits, word, 64).is_below_exp(Integer(numerator), Integer(denominator));
}

// Returns into how many parts the unit of a variance is divided: more where it is small, so that all products fit.
std::uint64_t parts_of_one(double square) {
  return square < 0x1p20 ? std::uint64_t{1} << 20 : 1;
}

}  // namespace

std::int64_t discrete_laplace(RandomBits& bits, std::uint64_t scale, std::uint64_t inverse) {
  assert(scale >= 1 && scale <= std::uint64_t{1} << 53 && inverse >= 1 && inverse <= std::uint64_t{1} << 62);
  const double ratio = static_cast<double>(scale) / static_cast<double>(inverse);
  // The error of a logarithm, of the ratio and of the digits that are not drawn, with room to spare.
  const double slack = ratio * 0x1p-40;
  constexpr std::int64_t kEnough = std::int64_t{1} << 42;
  for (;;) {
    const std::uint64_t word = bits();
    const auto digits = static_cast<std::int64_t>(word >> 1);
    const double steps = -ratio * std::log((static_cast<double>(digits) + 0.5) * 0x1p-63);
    auto magnitude = static_cast<std::int64_t>(steps);
    const double over = steps - static_cast<double>(magnitude);
    if (!(digits >= kEnough && over > slack && over < 1 - slack)) [[unlikely]] {
      magnitude = exact_steps(Uniform(bits, word >> 1, 63), scale, inverse);
    }
    const bool negative = word % 2 == 1;
    if (negative && magnitude == 0) continue;  // else 0 would be drawn twice as often
    return negative ? -magnitude : magnitude;
  }
}

double discrete_variance(double deviation) {
  const double square = deviation * deviation;
  const auto parts = static_cast<double>(parts_of_one(square));
  return std::ceil(square * parts) / parts;
}

std::int64_t discrete_gaussian(RandomBits& bits, double deviation) {
  assert(deviation > 0 && deviation < kLargestDeviation);
  const double square = discrete_variance(deviation);
  const Wide parts = parts_of_one(deviation * deviation);
  const Wide variance = static_cast<Wide>(square * static_cast<double>(parts));
  const auto scale = static_cast<std::uint64_t>(deviation) + 1;
  const double middle = square / static_cast<double>(scale);
  for (;;) {
    const std::int64_t drawn = discrete_laplace(bits, scale, 1);
    // Kept with probability exp(-(|y| - variance / scale)^2 / (2 variance)).
    const auto distance = static_cast<double>(drawn < 0 ? -drawn : drawn) - middle;
    const Wide y = static_cast<Wide>(drawn < 0 ? -drawn : drawn) * scale * parts;
    const Wide apart = y > variance ? y - variance : variance - y;
    if (bernoulli_exp(bits, distance * distance / (2 * square), apart * apart, 2 * variance * parts * scale * scale)) {
      return drawn;
    }
  }
}

}  // namespace hearsay
