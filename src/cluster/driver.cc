// SPDX-License-Identifier: Apache-2.0
#include "cluster/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "attack/likely_counts.h"
#include "base/errors.h"
#include "cluster/ground.h"
#include "goal/releases.h"

namespace hearsay::cluster {

Driver::Driver(DriverSettings settings) : settings_(std::move(settings)) {
  told_.study = settings_.study;
  told_.parsed = std::make_shared<experiment::Study>(told_.study.parse());
  told_.rois = settings_.rois;
  told_.columns = settings_.columns;
  told_.range_candidates = settings_.range_candidates;
  told_.shares.resize(settings_.shares);
  found_.resize(study().adversary.priors.size());
  lessons_.resize(found_.size());
  check();
}

void Driver::check() const {
  for (const attack::AttackEntry* entry : study().adversary.attacks) {
    if (entry->whole_crowd) {
      throw ConfigError("study.attacks", entry->info.name, "sees everybody at once, which runs on one machine only");
    }
  }
  for (const goal::Defence& defence : study().defences) {
    if (!defence.chain.works_in_shares()) {
      throw ConfigError("release.steps", defence.chain.steps(),
                        "a step that looks at everybody's visits at once runs on one machine only");
    }
  }
}

const Told* Driver::next() {
  if (!begun_) {
    begun_ = true;
    told_.stage = study().data.user_limit > 0 ? Stage::kLimit : Stage::kCount;
    return &told_;
  }
  switch (told_.stage) {
    case Stage::kLimit:
      finish_limit();
      told_.stage = Stage::kCount;
      return &told_;
    case Stage::kCount:
      finish_count();
      told_.stage = Stage::kPrepare;
      if (needs_prepare()) return &told_;
      [[fallthrough]];
    case Stage::kPrepare:
      finish_prepare();
      break;
    case Stage::kContribute:
      for (const auto& [key, value] : values_) {
        BytesReader(value).get(told_.learned_sums[key.of[0]]);
      }
      told_.stage = Stage::kExpect;
      if (expects_) return &told_;
      [[fallthrough]];
    case Stage::kExpect:
      for (const auto& [key, value] : values_) {
        if (key.subject != Subject::kExpected) continue;
        auto& tables = told_.whole.expected[study().adversary.priors[key.of[0]]->info.name];
        if (tables.size() <= key.of[1]) tables.resize(key.of[1] + std::size_t{1});
        BytesReader(value).get(tables[key.of[1]]);
      }
      values_.clear();
      told_.stage = Stage::kPlan;
      if (ask()) return &told_;
      [[fallthrough]];
    case Stage::kPlan:
      finish_plan();
      measure_taken_out();
      told_.stage = Stage::kInfer;
      return &told_;
    case Stage::kInfer:
      finish_infer();
      break;
    case Stage::kName:
      for (const auto& [key, value] : values_) {
        for (BytesReader bytes(value); !bytes.at_end();) {
          const auto number = bytes.get<std::uint32_t>();
          bytes.get(names_[number]);
        }
      }
      return nullptr;
  }
  values_.clear();
  if (!next_round()) {
    if (!asks_for_names()) return nullptr;
    told_.stage = Stage::kName;
    return &told_;
  }
  told_.stage = Stage::kContribute;
  return learns() ? &told_ : next();
}

void Driver::take(std::string_view key, std::string_view value) {
  values_[Key::read(key)] = value;
}

std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> Driver::histograms(
    Subject subject) const {
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_share;
  for (const auto& [key, value] : values_) {
    if (key.subject != subject) continue;
    BytesReader bytes(value);
    const auto size = bytes.get<std::uint64_t>();
    auto& own = by_share[key.of[0]];
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto number = bytes.get<std::uint32_t>();
      own.emplace_back(number, bytes.get<std::uint32_t>());
    }
  }
  return by_share;
}

// The most active people, ties by id.
void Driver::finish_limit() {
  const auto by_share = histograms(Subject::kReports);
  std::map<std::uint32_t, std::uint64_t, std::greater<>> people;  // by visits, most first
  for (const auto& [share, own] : by_share) {
    for (const auto& [visits, count] : own) people[visits] += count;
  }
  std::uint64_t left = study().data.user_limit;
  for (const auto& [visits, count] : people) {
    if (count <= left) {
      left -= count;
      told_.limit = 0;
      continue;
    }
    told_.limit = visits;
    break;
  }
  for (const auto& [share, own] : by_share) {
    for (const auto& [visits, count] : own) {
      if (told_.limit == 0 || visits != told_.limit) continue;
      told_.shares.at(share).ties = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, count));
      left -= told_.shares[share].ties;
    }
  }
  values_.clear();
}

void Driver::finish_count() {
  const auto by_share = histograms(Subject::kObserved);
  std::map<std::uint32_t, std::uint64_t, std::greater<>> observed;  // people by visits observed, most first
  for (const auto& [share, own] : by_share) {
    told_.shares.at(share).first = static_cast<std::uint32_t>(told_.people);
    for (const auto& [visits, count] : own) {
      observed[visits] += count;
      told_.people += count;
    }
  }
  std::uint64_t rank = 0;
  for (auto& [visits, next] : observed) rank = std::exchange(next, rank) + rank;
  for (const auto& [share, own] : by_share) {
    for (const auto& [visits, count] : own) {
      told_.shares[share].ranks.emplace_back(visits, static_cast<std::uint32_t>(observed[visits]));
      observed[visits] += count;
    }
  }
  const dataset::Calendar calendar = study().calendar();
  const std::size_t rois = told_.rois.size() + 1;
  const release::CountMatrix all = counts_of(Subject::kCounts, 0, 0, rois, calendar.epochs);
  told_.whole.observed = {calendar, told_.people, rois, {}, 0};
  told_.whole.counts = release::CountMatrix(rois, calendar.inference());
  for (std::uint32_t e = 0; e < calendar.epochs; ++e) {
    for (std::size_t roi = 0; roi < rois; ++roi) {
      const double count = all.series(roi)[e];
      if (e >= calendar.observe) {
        told_.whole.counts.series(roi)[e - calendar.observe] = count;
        continue;
      }
      told_.whole.observed.visits.push_back(static_cast<std::uint64_t>(count));
      if (roi + 1 < rois) told_.whole.observed.total += static_cast<std::uint64_t>(count);
    }
  }
  for (const auto& [key, value] : values_) {
    if (key.subject == Subject::kValues) BytesReader(value).get(told_.kinds[key.of[0]]);
    if (key.subject == Subject::kVisitors) BytesReader(value).get(visitors_);
    if (key.subject != Subject::kFacts) continue;
    const auto facts = BytesReader(value).get<std::vector<std::uint64_t>>();
    visits_ = facts[0];
    seen_ = {facts[1], facts[2]};
  }
  values_.clear();
  if (told_.asks_for_everybody() && visits_ > kMostVisitsOfGroups) {
    throw ConfigError(
        "study.goals", "membership, audit, trajectories",
        fmt::format("are pursued on the driver with everybody's visits, of which there are {} and may be {}; "
                    "keep fewer people (data.users) or leave these goals out",
                    visits_, kMostVisitsOfGroups));
  }
  if (told_.people == 0) throw InputError({"events", 0, ""}, "nobody is left to study");
}

bool Driver::learns() const {
  return std::any_of(told_.priors.begin(), told_.priors.end(),
                     [&](std::uint32_t p) { return static_cast<bool>(study().adversary.priors[p]->learning); });
}

bool Driver::needs_prepare() const {
  const auto acts = [](const goal::Defence& defence) { return defence.chain.reads_visits(); };
  const auto& priors = study().adversary.priors;
  return told_.asks_for_everybody() || study().adversary.control ||
         std::any_of(study().defences.begin(), study().defences.end(), acts) ||
         std::any_of(priors.begin(), priors.end(),
                     [](const auto* prior) { return static_cast<bool>(prior->learning); });
}

void Driver::finish_prepare() {
  const dataset::Dataset nobody = dataset_of(told_, study(), {});
  const release::Draft raw(nobody.truth(), std::nullopt, 1);
  for (std::uint32_t d = 0; d < study().defences.size(); ++d) {
    const goal::Defence& defence = study().defences[d];
    for (std::uint32_t repeat = 1; repeat <= defence.repeats; ++repeat) {
      if (const auto found = values_.find({Merge::kAnswers, Subject::kAnswers, {d, repeat}}); found != values_.end()) {
        told_.whole.answers[{d, repeat}] = release::Answers::from_bytes(found->second);
      }
      if (!defence.chain.gives_visits()) continue;
      const auto noise = defence.noise(study().seed, repeat);
      const release::Geometry geometry = defence.chain.prepare(raw, *noise).geometry();
      told_.whole.prepared.emplace(goal::Draw{d, repeat},
                                   counts_of(Subject::kPrepared, d, repeat, geometry.places + 1, geometry.epochs));
      if (repeat > 1 || geometry.is_fine()) continue;
      told_.whole.coarse.emplace(d, counts_of(Subject::kCoarse, d, 0, geometry.places + 1, geometry.epochs));
    }
  }
  if (told_.asks_for_everybody()) everybody_ = dataset_of(told_, study(), people_of(Subject::kEverybody, 0));
  taken_out_ = dataset_of(told_, study(), people_of(Subject::kTakenOut, 0));
  expects_ = needs_expect();
  for (std::uint32_t p = 0; p < study().adversary.priors.size(); ++p) {
    const prior::PriorEntry& entry = *study().adversary.priors[p];
    if (!entry.learning) continue;
    const dataset::Dataset wanted = dataset_of(told_, study(), people_of(Subject::kWanted, p));
    told_.learned[p] = entry.learning(told_.whole.observed, entry.info.values())
                           ->learn({wanted.observation(), wanted.past(), settings_.threads});
  }
}

// About what the plans of a prior take, told to every share.
std::uint64_t Driver::bytes_of_plans(const prior::PriorEntry& prior) const {
  std::uint64_t plans = 0;
  for (const attack::AttackEntry* attack : study().adversary.attacks) {
    if (!attack->create()->summarises()) continue;
    plans += 1;
    for (const goal::Defence& defence : study().defences) {
      const bool tried = goal::Defence::covers(defence.priors, prior.info.name) &&
                         goal::Defence::covers(defence.attacks, attack->info.name);
      plans += tried ? defence.repeats : 0;
    }
  }
  return 40 * plans * told_.whole.counts.all().size();
}

bool Driver::next_round() {
  const std::vector<const prior::PriorEntry*>& all = study().adversary.priors;
  if (priors_done_ == all.size()) return false;
  told_.priors.clear();
  std::uint64_t bytes = 0;
  while (priors_done_ < all.size()) {
    bytes += bytes_of_plans(*all[priors_done_]);
    if (!told_.priors.empty() && bytes > settings_.round_bytes) break;
    told_.priors.push_back(static_cast<std::uint32_t>(priors_done_++));
  }
  told_.requests.clear();
  told_.tables.clear();
  told_.plans.clear();
  summaries_.clear();
  person_summaries_.clear();
  told_.whole.expected.clear();
  pending_.clear();
  return true;
}

// Whether an attack reads some release other than as it is printed.
bool Driver::needs_expect() const {
  const ShareGround ground(told_, study(), *taken_out_, settings_.threads);
  const goal::Releases releases(ground.ground());
  for (const goal::Defence& defence : study().defences) {
    const release::Published published = releases.defend(defence, 1).publish();
    for (const attack::AttackEntry* entry : study().adversary.attacks) {
      if (entry->uses_release && entry->uses_prior && attack::reads_otherwise(published, entry->create()->reads())) {
        return true;
      }
    }
  }
  return false;
}

release::CountMatrix Driver::counts_of(Subject subject, std::uint32_t a, std::uint32_t b, std::size_t rois,
                                       std::size_t epochs) const {
  release::CountMatrix counts(rois, epochs);
  for (std::uint32_t e = 0; e < epochs; ++e) {
    const auto found = values_.find({Merge::kSparse, subject, {a, b, e}});
    if (found == values_.end()) continue;
    const auto column = BytesReader(found->second).get<std::vector<std::uint64_t>>();
    for (std::size_t roi = 0; roi < column.size(); ++roi) counts.series(roi)[e] = static_cast<double>(column[roi]);
  }
  return counts;
}

std::vector<Person> Driver::people_of(Subject subject, std::uint32_t of) const {
  std::vector<Person> people;
  const auto found = values_.find({Merge::kJoin, subject, {of}});
  if (found == values_.end()) return people;
  for (BytesReader bytes(found->second); !bytes.at_end();) people.push_back(read_person(bytes));
  return people;
}

}  // namespace hearsay::cluster
