// SPDX-License-Identifier: Apache-2.0
#include "cluster/told.h"

#include <algorithm>

#include "cluster/result_rows.h"
#include "goal/goal.h"
#include "ingest/places.h"

namespace hearsay::cluster {
namespace {

void put(BytesWriter& bytes, const goal::PlanId& id) {
  bytes.put(static_cast<std::uint64_t>(id.attack));
  bytes.put(static_cast<std::uint64_t>(id.release));
  bytes.put(id.fewer);
  bytes.put(id.without.has_value());
  bytes.put(id.without.value_or(0));
}

goal::PlanId get_id(BytesReader& bytes) {
  goal::PlanId id;
  id.attack = bytes.get<std::uint64_t>();
  id.release = bytes.get<std::uint64_t>();
  bytes.get(id.fewer);
  const bool without = bytes.get<bool>();
  const auto number = bytes.get<std::uint32_t>();
  if (without) id.without = number;
  return id;
}

// Lists and maps: how many, then each by `one`.
template <typename List, typename One>
void put_all(BytesWriter& bytes, const List& list, const One& one) {
  bytes.put(static_cast<std::uint64_t>(list.size()));
  for (const auto& item : list) one(item);
}

template <typename One>
void get_all(BytesReader& bytes, const One& one) {
  const auto size = bytes.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < size; ++i) one();
}

}  // namespace

const char* title_of(Stage stage) {
  switch (stage) {
    case Stage::kLimit:
      return "finding the most active people";
    case Stage::kCount:
      return "counting";
    case Stage::kPrepare:
      return "steps of defences that act on people";
    case Stage::kContribute:
      return "learning";
    case Stage::kExpect:
      return "expecting counts";
    case Stage::kPlan:
      return "planning";
    case Stage::kInfer:
      return "attacking";
    case Stage::kName:
      return "naming";
  }
  return "";
}

namespace {

void write_release(const release::Release& release, BytesWriter& bytes) {
  bytes.put(static_cast<std::uint64_t>(release.rois()));
  bytes.put(static_cast<std::uint64_t>(release.epochs()));
  std::vector<double> dense;
  std::vector<double> counts;
  for (std::size_t e = 0; e < release.epochs(); ++e) {
    const release::EpochCounts epoch = release.at(static_cast<EpochId>(e), dense);
    counts.clear();
    for (const RoiId roi : epoch.rois) counts.push_back(epoch.dense[index_of(roi)]);
    bytes.put(epoch.rois);
    bytes.put(counts);
  }
}

release::Release read_release(BytesReader& bytes) {
  const auto rois = bytes.get<std::uint64_t>();
  const auto epochs = bytes.get<std::uint64_t>();
  release::Release release(rois, epochs);
  std::vector<double> dense;
  for (std::size_t e = 0; e < epochs; ++e) {
    const auto places = bytes.get<std::vector<RoiId>>();
    const auto counts = bytes.get<std::vector<double>>();
    dense.assign(rois, 0);
    for (std::size_t i = 0; i < places.size(); ++i) dense[index_of(places[i])] = counts[i];
    release.set(static_cast<EpochId>(e), dense);
  }
  return release;
}

}  // namespace

bool Told::asks_for_everybody() const {
  return std::any_of(parsed->goals.begin(), parsed->goals.end(),
                     [](const goal::GoalEntry* goal) { return !goal->of_errors; });
}

std::string Told::bytes() const {
  BytesWriter bytes;
  bytes.put(stage);
  for (const std::string* text : {&study.toml, &study.name, &study.folder}) bytes.put(*text);
  bytes.put(study.overrides);
  bytes.put(ingest::bytes_of(rois));
  bytes.put(columns);
  bytes.put(limit);
  bytes.put(people);
  put_all(bytes, shares, [&](const Place& place) {
    bytes.put(place.ties);
    bytes.put(place.first);
    put_all(bytes, place.ranks, [&](const auto& rank) {
      bytes.put(rank.first);
      bytes.put(rank.second);
    });
  });
  whole.counts.write(bytes);
  const auto put_draw = [&](const goal::Draw& draw) {
    bytes.put(static_cast<std::uint64_t>(draw.first));
    bytes.put(static_cast<std::uint64_t>(draw.second));
  };
  put_all(bytes, whole.prepared, [&](const auto& of_draw) {
    put_draw(of_draw.first);
    of_draw.second.write(bytes);
  });
  put_all(bytes, whole.answers, [&](const auto& of_draw) {
    put_draw(of_draw.first);
    bytes.put(of_draw.second.to_bytes());
  });
  put_all(bytes, whole.expected, [&](const auto& expected) {
    bytes.put(expected.first);
    bytes.put(expected.second);
  });
  bytes.put(priors);
  bytes.put(whole.observed.to_bytes());
  put_all(bytes, learned, [&](const auto& of_prior) {
    bytes.put(of_prior.first);
    bytes.put(of_prior.second);
  });
  put_all(bytes, learned_sums, [&](const auto& of_prior) {
    bytes.put(of_prior.first);
    bytes.put(of_prior.second);
  });
  for (const std::vector<results::ValueCount>& counts : kinds) bytes.put(counts);
  bytes.put(named);
  bytes.put(range_candidates);
  put_all(bytes, requests, [&](const auto& of_attack) {
    bytes.put(of_attack.first.first);
    bytes.put(of_attack.first.second);
    put_all(bytes, of_attack.second, [&](const Request& request) {
      put(bytes, request.id);
      write_release(request.counts, bytes);
    });
  });
  bytes.put(taken_out);
  put_all(bytes, tables, [&](const auto& of_prior) {
    bytes.put(of_prior.first);
    bytes.put(of_prior.second);
  });
  put_all(bytes, plans, [&](const auto& of_prior) {
    bytes.put(of_prior.first);
    put_all(bytes, of_prior.second, [&](const auto& plan) {
      put(bytes, plan.first);
      bytes.put(plan.second);
    });
  });
  put_all(bytes, results, [&](const auto& of_prior) {
    bytes.put(of_prior.first);
    put_all(bytes, of_prior.second, [&](const Result& result) {
      for (const goal::KeyField& field : goal::kKeyFields) bytes.put(field.as_text(result.combination));
      bytes.put(result.control);
    });
  });
  return bytes.take();
}

Told Told::from_bytes(std::string_view all) {
  BytesReader bytes(all);
  Told told;
  bytes.get(told.stage);
  for (std::string* text : {&told.study.toml, &told.study.name, &told.study.folder}) bytes.get(*text);
  bytes.get(told.study.overrides);
  told.rois = ingest::rois_of(bytes.get_text());
  bytes.get(told.columns);
  bytes.get(told.limit);
  bytes.get(told.people);
  get_all(bytes, [&] {
    Place& place = told.shares.emplace_back();
    bytes.get(place.ties);
    bytes.get(place.first);
    get_all(bytes, [&] {
      const auto observed = bytes.get<std::uint32_t>();
      place.ranks.emplace_back(observed, bytes.get<std::uint32_t>());
    });
  });
  told.whole.counts = release::CountMatrix::read(bytes);
  const auto get_draw = [&] {
    const auto defence = bytes.get<std::uint64_t>();
    return goal::Draw{defence, bytes.get<std::uint64_t>()};
  };
  get_all(bytes, [&] {
    const goal::Draw draw = get_draw();
    told.whole.prepared.emplace(draw, release::CountMatrix::read(bytes));
  });
  get_all(bytes, [&] {
    const goal::Draw draw = get_draw();
    told.whole.answers.emplace(draw, release::Answers::from_bytes(bytes.get_text()));
  });
  get_all(bytes, [&] {
    std::string prior = bytes.get<std::string>();
    told.whole.expected[prior] = bytes.get<std::vector<std::vector<std::uint64_t>>>();
  });
  bytes.get(told.priors);
  told.whole.observed = dataset::ObservedCounts::from_bytes(bytes.get_text());
  get_all(bytes, [&] {
    const auto prior = bytes.get<std::uint32_t>();
    bytes.get(told.learned[prior]);
  });
  get_all(bytes, [&] {
    const auto prior = bytes.get<std::uint32_t>();
    bytes.get(told.learned_sums[prior]);
  });
  for (std::vector<results::ValueCount>& counts : told.kinds) bytes.get(counts);
  bytes.get(told.named);
  bytes.get(told.range_candidates);
  get_all(bytes, [&] {
    const auto prior = bytes.get<std::uint32_t>();
    std::vector<Request>& list = told.requests[{prior, bytes.get<std::uint32_t>()}];
    get_all(bytes, [&] {
      const goal::PlanId id = get_id(bytes);
      list.push_back({id, read_release(bytes)});
    });
  });
  bytes.get(told.taken_out);
  get_all(bytes, [&] {
    const auto prior = bytes.get<std::uint32_t>();
    bytes.get(told.tables[prior]);
  });
  get_all(bytes, [&] {
    auto& of_prior = told.plans[bytes.get<std::uint32_t>()];
    get_all(bytes, [&] {
      const goal::PlanId id = get_id(bytes);
      bytes.get(of_prior[id]);
    });
  });
  told.parsed = std::make_shared<experiment::Study>(told.study.parse());
  get_all(bytes, [&] {
    std::vector<Result>& list = told.results[bytes.get<std::uint32_t>()];
    get_all(bytes, [&] {
      goal::Key key;
      for (const goal::KeyField& field : goal::kKeyFields) {
        key.push_back({field.name, bytes.get<std::string>(), field.text == nullptr});
      }
      Result& result = list.emplace_back();
      result.combination = goal::combination_of(key, told.parsed->adversary);
      bytes.get(result.control);
    });
  });
  if (told.stage == Stage::kInfer) told.facts = std::make_shared<results::DataFacts>(facts_of(told, *told.parsed));
  return told;
}

}  // namespace hearsay::cluster
