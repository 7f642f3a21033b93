// SPDX-License-Identifier: Apache-2.0
#include "dense_rates.h"

#include <algorithm>
#include <cmath>

namespace hearsay::reference {
namespace {

using Wide = long double;

Wide odds(Wide rate) {
  const Wide kept = std::clamp(rate, Wide{1e-5}, 1 - Wide{1e-5});
  return kept / (1 - kept);
}

// The sigmoid of the logit and the logarithm of a shift.
Wide bent(Wide rate, Wide shift) {
  return odds(rate) * shift / (1 + odds(rate) * shift);
}

// Where an increasing function is 0, between two numbers.
template <typename Function>
Wide root(Wide least, Wide most, const Function& value) {
  for (int step = 0; step < 90; ++step) {
    const Wide middle = (least + most) / 2;
    (value(middle) < 0 ? least : most) = middle;
  }
  return (least + most) / 2;
}

std::vector<Wide> commit_row(const std::vector<Wide>& chances) {
  const std::size_t null = chances.size() - 1;
  std::vector<Wide> only_null(chances.size());
  only_null[null] = 1;
  // Who is in a place is not in null.
  const Wide absent = std::min(chances[null], 1 - *std::max_element(chances.begin(), chances.end() - 1));
  const Wide active = 1 - absent;
  std::vector<Wide> given(null);
  Wide m = 0;
  for (std::size_t s = 0; s < null; ++s) {
    given[s] = active > 0 ? std::min(chances[s] / active, Wide{1}) : 0;
    m += given[s];
  }
  if (m == 0) return only_null;
  m = std::max(m, Wide{1});
  const auto share = [&](std::size_t s, Wide c) { return given[s] > 0 ? 1 / std::expm1(c / given[s]) / m : 0; };
  const Wide c = root(1e-12L, 100, [&](Wide at) {
    Wide sum = 0;
    for (std::size_t s = 0; s < null; ++s) sum += share(s, at);
    return 1 - sum;
  });
  std::vector<Wide> profile(chances.size());
  Wide divergence = 0;
  Wide total = 0;
  for (std::size_t s = 0; s < null; ++s) {
    const Wide p = 1 / m;
    const Wide q = profile[s] = share(s, c);
    total += q;
    const Wide middle = (p + q) / 2;
    divergence += given[s] * (p * std::log(p / middle) + (q > 0 ? q * std::log(q / middle) : 0)) / 2;
    divergence += (1 - given[s]) * q * std::log(Wide{2}) / 2;
  }
  for (Wide& q : profile) q /= total;  // 1 but for rounding
  const Wide farthest = std::sqrt(std::log(Wide{2}));
  const Wide expected_null = active * farthest;
  const Wide expected = absent * farthest + active * std::sqrt(std::max(Wide{0}, divergence));
  // No profile of places beats null where null is as likely as not.
  const Wide rounding = 1e-9L;
  const bool places = absent < Wide{0.5} - rounding && expected / farthest < expected_null / farthest - rounding;
  return places ? profile : only_null;
}

}  // namespace

Chances rates_of(const World& w, std::size_t season) {
  Chances rates(w.users, std::vector<std::vector<Wide>>(w.inference(), std::vector<Wide>(w.rois)));
  for (std::size_t u = 0; u < w.users; ++u) {
    for (std::size_t t = 0; t < w.inference(); ++t) {
      Wide epochs = 0;
      for (std::size_t e = 0; e < w.observe; ++e) {
        if (e % season != (w.observe + t) % season) continue;
        epochs += 1;
        for (std::size_t s = 0; s < w.rois; ++s) rates[u][t][s] += w.visited[u][e][s] ? 1 : 0;
      }
      for (Wide& rate : rates[u][t]) rate = epochs > 0 ? rate / epochs : 0;
      if (epochs == 0) rates[u][t].back() = 1;
    }
  }
  return rates;
}

Chances tilt(const World& w, const Chances& rates, const Counts& counts, Shifts& known) {
  Chances tilted = rates;
  for (std::size_t t = 0; t < w.inference(); ++t) {
    for (std::size_t s = 0; s < w.rois; ++s) {
      const auto count = static_cast<Wide>(counts[t][s]);
      const auto [found, fresh] =
          known.try_emplace({static_cast<std::int64_t>(t), static_cast<std::int64_t>(s), counts[t][s]}, 0);
      Wide& shift = found->second;
      if (fresh) {
        shift = std::exp(root(-60, 60, [&](Wide at) {
          const Wide factor = std::exp(at);
          Wide sum = 0;
          for (std::size_t u = 0; u < w.users; ++u) sum += bent(rates[u][t][s], factor);
          return sum - count;
        }));
      }
      for (std::size_t u = 0; u < w.users; ++u) {
        tilted[u][t][s] = count <= 0 ? 0 : count >= static_cast<Wide>(w.users) ? 1 : bent(rates[u][t][s], shift);
      }
    }
  }
  return tilted;
}

Assignments best(const Chances& chances, const std::vector<std::size_t>& users) {
  Assignments predicted(chances.size());
  for (const std::size_t u : users) {
    std::vector<Wide> sorted;
    Wide all = 0;
    for (const auto& epoch : chances[u]) {
      for (const Wide chance : epoch) {
        all += chance;
        if (chance > 0) sorted.push_back(chance);
      }
    }
    std::sort(sorted.rbegin(), sorted.rend());
    Wide most = 0;
    Wide sum = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      sum += sorted[k];
      most = std::max(most, 2 * sum / (static_cast<Wide>(k + 1) + all));
    }
    // Adding a chance makes it better where it is above half of it; those that make no difference are in.
    for (const auto& epoch : chances[u]) {
      std::vector<bool>& places = predicted[u].emplace_back();
      for (const Wide chance : epoch) places.push_back(chance > 0 && chance >= most / 2 * (1 - Wide{1e-9}));
    }
  }
  return predicted;
}

Chances commit(const Chances& chances, const std::vector<std::size_t>& users) {
  Chances profiles = chances;
  for (const std::size_t u : users) {
    for (auto& epoch : profiles[u]) epoch = commit_row(epoch);
  }
  return profiles;
}

}  // namespace hearsay::reference
