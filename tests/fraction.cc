// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "dense_reference.h"

namespace hearsay::reference {
namespace {

__extension__ using Wide = __int128;

Fraction reduce(Wide numerator, Wide denominator) {
  Wide a = numerator < 0 ? -numerator : numerator;
  Wide b = denominator;
  while (b != 0) std::swap(a %= b, b);
  if (a == 0) a = 1;
  numerator /= a;
  denominator /= a;
  if (denominator > INT64_MAX || numerator > INT64_MAX)
    throw std::overflow_error("the study is too large for this reference");
  return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

}  // namespace

Fraction operator+(Fraction a, Fraction b) {
  return reduce(static_cast<Wide>(a.numerator) * b.denominator + static_cast<Wide>(b.numerator) * a.denominator,
                static_cast<Wide>(a.denominator) * b.denominator);
}
Fraction operator*(Fraction a, Fraction b) {
  return reduce(static_cast<Wide>(a.numerator) * b.numerator, static_cast<Wide>(a.denominator) * b.denominator);
}
Fraction operator/(Fraction a, Fraction b) {
  return a * Fraction{b.denominator, b.numerator};
}
bool operator<(Fraction a, Fraction b) {
  return static_cast<Wide>(a.numerator) * b.denominator < static_cast<Wide>(b.numerator) * a.denominator;
}
bool operator==(Fraction a, Fraction b) {
  return !(a < b) && !(b < a);
}

}  // namespace hearsay::reference
