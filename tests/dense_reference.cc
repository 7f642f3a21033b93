// SPDX-License-Identifier: Apache-2.0
#include "dense_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "dense_rates.h"

namespace hearsay::reference {
namespace {

Fraction sum_of(const Row& row) {
  return std::accumulate(row.begin(), row.end(), Fraction{});
}

Row null_row(std::size_t rois) {
  Row row(rois);
  row.back() = {1, 1};
  return row;
}

Row normalised(const Row& row) {
  const Fraction total = sum_of(row);
  if (total == Fraction{}) return null_row(row.size());
  Row result;
  for (const Fraction& entry : row) result.push_back(entry / total);
  return result;
}

Row as_row(const std::vector<bool>& assigned) {
  Row row;
  for (const bool there : assigned) row.push_back({there ? 1 : 0, 1});
  return row;
}

// Visits at all epochs of the observation period at the same position of the season as inference epoch t.
Row season_counts(const World& w, std::size_t u, std::size_t t, std::size_t season) {
  Row counts(w.rois);
  for (std::size_t e = 0; e < w.observe; ++e) {
    if (e % season != (w.observe + t) % season) continue;
    for (std::size_t s = 0; s < w.rois; ++s) counts[s].numerator += w.visited[u][e][s] ? 1 : 0;
  }
  return counts;
}

std::size_t season_of(const World& w, const std::string& prior) {
  return prior == "FREQ_ROI" ? 1 : prior == "ROI_DAY" ? w.day : 7 * w.day;
}

Row prior_row(const World& w, const std::string& prior, std::size_t u, std::size_t t) {
  const auto last = [&](std::size_t lag) { return as_row(w.visited[u][w.observe + t - lag]); };
  const auto time = [&](std::size_t season) {
    Row counts = season_counts(w, u, t, season);
    counts.back() = {};
    if (sum_of(counts) == Fraction{}) return null_row(w.rois);
    Row uniform(w.rois, Fraction{1, static_cast<std::int64_t>(w.rois - 1)});
    uniform.back() = {};
    return uniform;
  };
  if (prior == "FREQ_ROI") return normalised(season_counts(w, u, t, 1));
  if (prior == "ROI_DAY") return normalised(season_counts(w, u, t, w.day));
  if (prior == "ROI_DAY_WEEK") return normalised(season_counts(w, u, t, 7 * w.day));
  if (prior == "TIME_DAY") return time(w.day);
  if (prior == "TIME_DAY_WEEK") return time(7 * w.day);
  if (prior == "LAST_WEEK") return last(7 * w.day);
  if (prior == "LAST_DAY") return last(w.day);
  if (prior == "LAST_HOUR") return last(w.hour);
  throw std::logic_error("no such prior: " + prior);
}

// Users by total reports in the observation period, most first, then in id order.
std::vector<std::size_t> by_reports(const World& w) {
  std::vector<std::size_t> reports(w.users);
  for (std::size_t u = 0; u < w.users; ++u) {
    for (std::size_t e = 0; e < w.observe; ++e) {
      for (std::size_t s = 0; s + 1 < w.rois; ++s) reports[u] += w.visited[u][e][s] ? 1 : 0;
    }
  }
  std::vector<std::size_t> order(w.users);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return reports[a] > reports[b]; });
  return order;
}

Assignments nowhere(const World& w) {
  return Assignments(w.users, std::vector<std::vector<bool>>(w.inference(), std::vector<bool>(w.rois)));
}

// `first`: users in the order in which ties go.
Assignments max_roi(const World& w, const Profiles& prior, const Counts& counts,
                    const std::vector<std::size_t>& first) {
  Assignments result = nowhere(w);
  for (std::size_t t = 0; t < w.inference(); ++t) {
    for (std::size_t s = 0; s < w.rois; ++s) {
      std::vector<std::size_t> order = first;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return prior[b][t][s] < prior[a][t][s]; });
      for (std::size_t i = 0; i < order.size() && static_cast<std::int64_t>(i) < counts[t][s]; ++i) {
        result[order[i]][t][s] = true;
      }
    }
  }
  return result;
}

Assignments max_user(const World& w, const Profiles& prior, const Counts& counts) {
  Assignments result = nowhere(w);
  const std::vector<std::size_t> order = by_reports(w);
  for (std::size_t t = 0; t < w.inference(); ++t) {
    std::vector<std::int64_t> left = counts[t];
    for (const std::size_t u : order) {
      for (std::size_t s = 0; s < w.rois; ++s) {
        if (!(Fraction{} < prior[u][t][s]) || left[s] <= 0) continue;
        --left[s];
        result[u][t][s] = true;
      }
    }
  }
  return result;
}

void replace_empty_by_null(Assignments& assigned) {
  for (auto& user : assigned) {
    for (std::vector<bool>& row : user) {
      if (std::find(row.begin(), row.end(), true) == row.end()) row.back() = true;
    }
  }
}

template <typename Decide>
Assignments decide(const World& w, const Profiles& profiles, const Decide& include) {
  Assignments result = nowhere(w);
  for (std::size_t u = 0; u < w.users; ++u) {
    for (std::size_t t = 0; t < w.inference(); ++t) {
      for (std::size_t s = 0; s < profiles[u][t].size(); ++s) result[u][t][s] = include(profiles[u][t][s]);
    }
  }
  replace_empty_by_null(result);
  return result;
}

long double divergence(const std::vector<long double>& p, const std::vector<long double>& q, long double log_base) {
  const auto log_to_base = [&](long double x) { return std::log(x) / std::log(log_base); };
  long double sum = 0;
  for (std::size_t s = 0; s < p.size(); ++s) {
    const long double w = p[s];
    const long double x = q[s];
    const long double z = (w + x) / 2;
    if (w > 0) sum += w * log_to_base(w / z) / 2;
    if (x > 0) sum += x * log_to_base(x / z) / 2;
  }
  return std::max(0.0L, sum);
}

std::vector<long double> values_of(const Row& row) {
  std::vector<long double> values;
  for (const Fraction& one : row) values.push_back(one.value());
  return values;
}

Chances values_of(const Profiles& profiles) {
  Chances values(profiles.size());
  for (std::size_t u = 0; u < profiles.size(); ++u) {
    for (const Row& row : profiles[u]) values[u].push_back(values_of(row));
  }
  return values;
}

// The users whose errors are wanted.
using Users = std::vector<std::size_t>;

Users everybody_in(const World& w) {
  Users users(w.users);
  std::iota(users.begin(), users.end(), std::size_t{0});
  return users;
}

Errors no_errors(const World& w) {
  const std::vector<double> none(w.users, std::numeric_limits<double>::quiet_NaN());
  return {none, none, std::vector<std::vector<double>>(w.users, std::vector<double>(w.inference())), {}, {}};
}

bool is_active(const World& w, std::size_t u, std::size_t t) {
  return !w.visited[u][w.observe + t].back();
}

Errors profiling(const World& w, const Chances& inferred, const Options& options, const Users& users) {
  Errors errors = no_errors(w);
  for (const std::size_t u : users) {
    long double sum = 0;
    long double active = 0;
    long double epochs = 0;
    for (std::size_t t = 0; t < w.inference(); ++t) {
      const std::vector<long double> truth = values_of(normalised(as_row(w.visited[u][w.observe + t])));
      const long double distance = std::sqrt(divergence(truth, inferred[u][t], options.log_base));
      errors.cells[u][t] = static_cast<double>(distance);
      sum += distance;
      if (!is_active(w, u, t)) continue;
      active += distance;
      epochs += 1;
    }
    errors.users[u] = static_cast<double>(sum / static_cast<long double>(w.inference()));
    errors.active[u] = static_cast<double>(active / epochs);
  }
  return errors;
}

Errors localization(const World& w, const Assignments& predicted, const Users& users) {
  Errors errors = no_errors(w);
  const auto one_minus_f1 = [](const long double* n) {
    const long double tp = n[0];
    if (tp == 0) return 1.0L;
    const long double precision = tp / (tp + n[1]);
    const long double recall = tp / (tp + n[2]);
    return 1 - 2 * precision * recall / (precision + recall);
  };
  for (const std::size_t u : users) {
    long double all[3] = {0, 0, 0};
    long double active[3] = {0, 0, 0};
    bool ever = false;
    for (std::size_t t = 0; t < w.inference(); ++t) {
      long double here[3] = {0, 0, 0};
      for (std::size_t s = 0; s < w.rois; ++s) {
        const bool truth = w.visited[u][w.observe + t][s];
        const bool guess = predicted[u][t][s];
        here[0] += truth && guess ? 1 : 0;
        here[1] += !truth && guess ? 1 : 0;
        here[2] += truth && !guess ? 1 : 0;
      }
      for (int i = 0; i < 3; ++i) {
        all[i] += here[i];
        if (is_active(w, u, t)) active[i] += here[i];
      }
      ever = ever || is_active(w, u, t);
      errors.cells[u][t] = static_cast<double>(one_minus_f1(here));
    }
    errors.users[u] = static_cast<double>(one_minus_f1(all));
    if (ever) errors.active[u] = static_cast<double>(one_minus_f1(active));
  }
  return errors;
}

// Means over users, by epoch and by ROI.
void add_means(const World& w, std::map<std::string, Errors>& results) {
  for (auto& [key, errors] : results) {
    for (std::size_t t = 0; t < w.inference(); ++t) {
      long double sum = 0;
      for (std::size_t u = 0; u < w.users; ++u) sum += errors.cells[u][t];
      errors.epochs.push_back(static_cast<double>(sum / static_cast<long double>(w.users)));
    }
    for (std::size_t s = 0; s + 1 < w.rois && key.starts_with("profiling"); ++s) {
      long double sum = 0;
      long double visits = 0;
      for (std::size_t u = 0; u < w.users; ++u) {
        for (std::size_t t = 0; t < w.inference(); ++t) {
          if (!w.visited[u][w.observe + t][s]) continue;
          sum += errors.cells[u][t];
          visits += 1;
        }
      }
      errors.rois.push_back(static_cast<double>(sum / visits));
    }
  }
}

Profiles prior_of(const World& w, const std::string& name) {
  Profiles raw(w.users, std::vector<Row>(w.inference()));
  for (std::size_t u = 0; u < w.users; ++u) {
    for (std::size_t t = 0; t < w.inference(); ++t) raw[u][t] = prior_row(w, name, u, t);
  }
  return raw;
}

// All attacks with one prior, and the errors about some users.
std::map<std::string, Errors> attack(const World& w, const Counts& counts, const std::string& name, const Profiles& raw,
                                     const Options& options, const Users& users, Shifts& shifts) {
  std::map<std::string, Errors> results;
  const Profiles none(w.users, std::vector<Row>(w.inference()));
  Profiles profile = none;
  Profiles everybody = none;
  Profiles posterior = none;
  for (std::size_t t = 0; t < w.inference(); ++t) {
    Row column;
    for (const std::int64_t count : counts[t]) column.push_back({count, 1});
    const Row crowd = normalised(column);  // Ap
    for (const std::size_t u : users) {
      profile[u][t] = normalised(raw[u][t]);
      everybody[u][t] = crowd;
      Row product;
      for (std::size_t s = 0; s < w.rois; ++s) product.push_back(profile[u][t][s] * crowd[s]);
      posterior[u][t] = normalised(product);
    }
  }
  const auto all = [](Fraction p) { return Fraction{} < p; };
  const auto pop = [&](Fraction p) { return !(p < options.delta); };
  const auto distribution = [&](const std::string& attack, const Profiles& inferred) {
    results[fmt::format("profiling {} {} ", name, attack)] = profiling(w, values_of(inferred), options, users);
    results[fmt::format("localization {} {} ALL", name, attack)] = localization(w, decide(w, inferred, all), users);
    results[fmt::format("localization {} {} POP", name, attack)] = localization(w, decide(w, inferred, pop), users);
  };
  const auto assignment = [&](const std::string& attack, Assignments assigned) {
    replace_empty_by_null(assigned);
    Profiles inferred = none;
    for (const std::size_t u : users) {
      for (std::size_t t = 0; t < w.inference(); ++t) inferred[u][t] = normalised(as_row(assigned[u][t]));
    }
    results[fmt::format("profiling {} {} ", name, attack)] = profiling(w, values_of(inferred), options, users);
    results[fmt::format("localization {} {} ASSIGNED", name, attack)] = localization(w, assigned, users);
  };
  // Where many share beliefs, COMMIT leaves them as they are.
  const bool shared = name.starts_with("TIME_");
  const auto chances = [&](const std::string& attack, const Chances& believed) {
    Assignments predicted = best(believed, users);
    predicted.resize(w.users);
    replace_empty_by_null(predicted);
    results[fmt::format("localization {} {} BEST", name, attack)] = localization(w, predicted, users);
    const Chances profiles = shared ? believed : commit(believed, users);
    results[fmt::format("profiling {} {} COMMIT", name, attack)] = profiling(w, profiles, options, users);
  };
  const bool counted = name.starts_with("FREQ_") || name.starts_with("ROI_");
  if (name.starts_with("LAST_")) {
    assignment("PRIOR", decide(w, raw, all));
  } else {
    distribution("PRIOR", profile);
    chances("PRIOR", counted ? rates_of(w, season_of(w, name)) : values_of(profile));
  }
  if (counted) chances("TILT", tilt(w, rates_of(w, season_of(w, name)), counts, shifts));
  chances("BAYES", values_of(posterior));
  distribution("AGGREGATES", everybody);
  distribution("BAYES", posterior);
  assignment("MAX_ROI", max_roi(w, raw, counts, everybody_in(w)));
  assignment("MAX_ROI(ties=reports)", max_roi(w, raw, counts, by_reports(w)));
  assignment("MAX_USER", max_user(w, raw, counts));
  assignment("NOWHERE", nowhere(w));
  return results;
}

}  // namespace

Counts aggregate(const World& w) {
  Counts counts(w.inference(), std::vector<std::int64_t>(w.rois));
  for (std::size_t u = 0; u < w.users; ++u) {
    for (std::size_t t = 0; t < w.inference(); ++t) {
      for (std::size_t s = 0; s < w.rois; ++s) counts[t][s] += w.visited[u][w.observe + t][s] ? 1 : 0;
    }
  }
  return counts;
}

std::map<std::string, Errors> evaluate(const World& w, const Counts& counts, const std::vector<std::string>& priors,
                                       const Options& options) {
  std::map<std::string, Errors> results;
  for (const std::string& name : priors) {
    Shifts shifts;
    results.merge(attack(w, counts, name, prior_of(w, name), options, everybody_in(w), shifts));
  }
  add_means(w, results);
  return results;
}

std::map<std::string, Errors> evaluate_without(const World& w, const std::vector<std::string>& priors,
                                               const Options& options, std::size_t step) {
  std::map<std::string, Errors> results;
  for (const std::string& name : priors) {
    const Profiles raw = prior_of(w, name);
    Shifts shifts;
    for (std::size_t u = 0; u < w.users; u += step) {
      Counts counts = aggregate(w);
      for (std::size_t t = 0; t < w.inference(); ++t) {
        for (std::size_t s = 0; s < w.rois; ++s) counts[t][s] -= w.visited[u][w.observe + t][s] ? 1 : 0;
      }
      for (const auto& [key, errors] : attack(w, counts, name, raw, options, {u}, shifts)) {
        Errors& all = results.try_emplace(key, no_errors(w)).first->second;
        all.users[u] = errors.users[u];
        all.active[u] = errors.active[u];
        all.cells[u] = errors.cells[u];
      }
    }
  }
  add_means(w, results);
  return results;
}

}  // namespace hearsay::reference
