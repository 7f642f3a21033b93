// SPDX-License-Identifier: Apache-2.0
#include "report/defence_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/words.h"

namespace hearsay::report {
namespace {

using results::kRounding;

// A defence whose counts are off by more than this, as a mean relative error, is not worth calling useful.
constexpr double kUsefulMre = 1.0;

// A share of what being counted costs: small numbers of four decimals.
std::string own_words(const results::Interval& own) {
  if (own.mean <= kRounding) return "nothing";
  const std::string mean = own.mean < 0.00005 ? "less than 0.0001" : fmt::format("{:.4f}", own.mean);
  return own.half_width && own.mean >= 0.00005 ? fmt::format("{} +- {:.4f}", mean, *own.half_width) : mean;
}

// Whether being counted costs anything that a defence could spare people.
bool has_own(const TriedDefence& tried) {
  return tried.own && tried.own->raw > kRounding;
}

std::string defence_words(const TriedDefence& tried) {
  std::string words = release_words(tried.release.release, tried.release.parameter) + " ";
  if (has_own(tried)) {
    words += fmt::format("leaves {} of the {} that being counted costs against the adversaries tried",
                         own_words(tried.own->left), own_words({tried.own->raw, std::nullopt}));
    if (tried.own_bound) words += fmt::format(" (by its guarantee at most {:.2g})", *tried.own_bound);
    if (tried.given_back) words += " and ";
  }
  if (tried.given_back) {
    words += fmt::format("gives back {:.0f}% of the error that the counts took away", tried.given_back->mean * 100);
  }
  const double mre = tried.release.mre.mean;
  return words +
         fmt::format(", at a relative error of {}", mre < 10 ? fmt::format("{:.2g}", mre) : fmt::format("{:.0f}", mre));
}

// What a defence spares people, in whole percents: of what being counted costs, else of what the counts took.
double spared(const TriedDefence& tried) {
  const double share = has_own(tried)     ? 1 - std::max(0.0, tried.own->left.mean) / tried.own->raw
                       : tried.given_back ? tried.given_back->mean
                                          : 0;
  return std::round(share * 100);
}

// Of those that spare people the same, the one with the better counts.
bool weaker(const TriedDefence& a, const TriedDefence& b) {
  if (spared(a) != spared(b)) return spared(a) < spared(b);
  return a.release.mre.mean > b.release.mre.mean;
}

}  // namespace

std::string defence_sentence(const std::vector<TriedDefence>& all, bool leaks) {
  if (all.empty()) return "";
  std::vector<TriedDefence> tried;
  std::copy_if(all.begin(), all.end(), std::back_inserter(tried),
               [](const auto& one) { return has_own(one) || one.given_back; });
  if (tried.empty() && leaks) {
    return "What a defence would change: not measured. Defences were tried only against adversaries from whom the "
           "counts take no error, not against the one above.";
  }
  if (tried.empty()) {
    return "What a defence would change: nothing, the counts took no error away from the adversaries it was tried "
           "against.";
  }
  const bool none_costs = all.front().own && std::none_of(tried.begin(), tried.end(), has_own);
  const char* start = none_costs ? "What a defence would change: being counted costs nothing on average against the "
                                   "adversaries it was tried against, on the raw counts already. Against the prior, "
                                 : "What a defence would change: ";
  const TriedDefence& strongest = *std::max_element(tried.begin(), tried.end(), weaker);
  std::vector<TriedDefence> useful;
  std::copy_if(tried.begin(), tried.end(), std::back_inserter(useful),
               [](const TriedDefence& one) { return one.release.mre.mean <= kUsefulMre; });
  if (useful.empty()) {
    return fmt::format("{}{}; none of those tried keeps the counts within a relative error of {}.", start,
                       defence_words(strongest), kUsefulMre);
  }
  const TriedDefence& best = *std::max_element(useful.begin(), useful.end(), weaker);
  const bool one =
      best.release.release == strongest.release.release && best.release.parameter == strongest.release.parameter;
  return fmt::format("{}of those that keep the counts within a relative error of {}, {}{}.", start, kUsefulMre,
                     defence_words(best),
                     one ? "; none tried is stronger" : "; the strongest, " + defence_words(strongest));
}

}  // namespace hearsay::report
