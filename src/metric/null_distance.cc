// SPDX-License-Identifier: Apache-2.0
#include "metric/null_distance.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace hearsay::metric {
namespace {

constexpr std::uint64_t kMantissa = 0x000fffffffffffffULL;
constexpr std::uint64_t kOne = 0x3ff0000000000000ULL;
constexpr std::uint64_t kHalfRoot = 0x3fe6a09e667f3bcdULL;  // sqrt(1/2)
constexpr double kLn2High = 6.93147180369123816490e-01;     // ln 2 in two parts, so that whole multiples are exact
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kIntegerMagic = 0x1.8p52;

// ln(1 - r) for r in [0, 1), without branches so that a compiler can do several at once. u = 2^k m with m in
// [sqrt(1/2), sqrt(2)); ln m is an odd function of s = (m - 1) / (m + 1), whose series is cut where it no longer
// matters; what rounding 1 - r lost is added back.
[[gnu::always_inline]] inline double log_of_one_minus(double r) {
  const double u = 1.0 - r;
  const double lost = ((1.0 - u) - r) / u;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(u);
  const std::uint64_t shifted = bits + (kOne - kHalfRoot);
  const double k =
      std::bit_cast<double>((shifted >> 52) + std::bit_cast<std::uint64_t>(kIntegerMagic)) - kIntegerMagic - 1023.0;
  const double m = std::bit_cast<double>((shifted & kMantissa) + kHalfRoot);
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  // 2/3, 2/5, ... of the series, economised.
  const double even =
      z * z * (3.999999999940941908e-01 + z * z * (2.222219843214978396e-01 + z * z * 1.531383769920937332e-01));
  const double odd =
      z * (6.666666666666735130e-01 +
           z * z * (2.857142874366239149e-01 + z * z * (1.818357216161805012e-01 + z * z * 1.479819860511658591e-01)));
  const double half = 0.5 * f * f;
  return k * kLn2High - ((half - (s * (half + (even + odd)) + (k * kLn2Low + lost))) - f);
}

[[gnu::always_inline]] inline void transform(double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double r = values[i];
    // At 1 the last term is 0 times minus infinity, and 0 in the limit.
    const double inside = r < 1.0 ? r : 0.5;
    const double last = r < 1.0 ? (1.0 - r) * log_of_one_minus(inside) : 0.0;
    const double divergence = 0.5 * (r * std::numbers::ln2 - (2.0 - r) * log_of_one_minus(0.5 * r) + last);
    values[i] = std::sqrt(divergence > 0.0 ? divergence : 0.0);
  }
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void transform_wide(double* values, std::size_t count) {
  transform(values, count);
}
#endif

}  // namespace

void null_distances(std::span<double> values) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) return transform_wide(values.data(), values.size());
#endif
  transform(values.data(), values.size());
}

}  // namespace hearsay::metric
