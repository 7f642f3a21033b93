// SPDX-License-Identifier: Apache-2.0
#include "release/a_year.h"

#include <fmt/format.h>

#include <algorithm>

#include "release/accounting.h"

namespace hearsay::release {
namespace {

constexpr std::uint64_t kDay = 86400;
constexpr std::uint64_t kYear = 365 * kDay;

// How many periods in a row a stretch of time meets, where both are counted from the same start.
std::uint64_t periods_met(std::uint64_t stretch, std::uint64_t period) {
  if (period % stretch == 0) return 1;
  const std::uint64_t most = (stretch + period - 1) / period;
  return stretch % period == 0 ? most : most + 1;
}

std::uint64_t publications_of(const std::string& unit, std::uint64_t period, std::uint64_t times) {
  if (unit == name_of(Unit::kEvent) || unit == name_of(Unit::kUserEpoch)) return 1;
  if (unit == name_of(Unit::kUserDay)) return std::min(times, periods_met(kDay, period));
  if (unit == name_of(Unit::kUserWeek)) return std::min(times, periods_met(7 * kDay, period));
  return times;
}

std::string chance(double delta) {
  return delta > 0 ? fmt::format(", but for a chance of {:.3g}", delta) : "";
}

// What the same noise means for a whole user, after so many of them; empty where that is not known.
std::string whole_user(const Guarantee& guarantee, std::uint64_t times) {
  const auto user = std::find_if(guarantee.others.begin(), guarantee.others.end(),
                                 [](const Claim& claim) { return claim.unit == name_of(Unit::kUser); });
  if (user == guarantee.others.end()) return "";
  Guarantee promise{user->epsilon, user->unit, "", std::nullopt};
  promise.delta = user->delta;
  if (guarantee.rho) promise.rho = rho_of(user->epsilon, user->delta);
  const Guarantee all = repeated(promise, times);
  return fmt::format(" A user as a whole is in all of them, with epsilon {:.4g}{}.", *all.epsilon, chance(all.delta));
}

}  // namespace

std::optional<AYear> a_year(const Guarantee& guarantee, std::uint64_t period_seconds) {
  if (!guarantee.epsilon || period_seconds == 0) return std::nullopt;
  AYear year;
  year.times = std::max<std::uint64_t>(1, kYear / period_seconds);
  year.meets = publications_of(guarantee.unit, period_seconds, year.times);
  Guarantee once = guarantee;
  if (once.delta <= 0) once.rho.reset();  // of no use without one
  const Guarantee all = repeated(once, year.meets);
  year.epsilon = year.meets == 1 ? *guarantee.epsilon : *all.epsilon;
  year.delta = all.delta;
  const std::string when = fmt::format("Published for every period of {}, {} time{} a year", days_text(period_seconds),
                                       year.times, year.times == 1 ? "" : "s");
  if (year.meets == 1 && year.times > 1) {
    year.sentence = fmt::format("{}: {} is in one of them alone, and epsilon stays {:.4g}{}.{}", when, guarantee.unit,
                                year.epsilon, chance(year.delta), whole_user(guarantee, year.times));
  } else {
    year.sentence = fmt::format("{}: {} is in {} of them, and epsilon adds up to {:.4g}{}.{}", when, guarantee.unit,
                                year.meets == year.times ? "each" : fmt::format("up to {}", year.meets), year.epsilon,
                                chance(year.delta), whole_user(guarantee, year.times));
  }
  return year;
}

std::string days_text(std::uint64_t seconds) {
  return seconds == kDay ? "1 day" : fmt::format("{:.4g} days", static_cast<double>(seconds) / kDay);
}

}  // namespace hearsay::release
