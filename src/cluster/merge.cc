// SPDX-License-Identifier: Apache-2.0
#include "cluster/merge.h"

#include <memory>
#include <vector>

#include "cluster/result_rows.h"
#include "cluster/row.h"

namespace hearsay::cluster {
namespace {

std::string add(std::span<const std::string_view> values) {
  std::vector<std::uint64_t> sum;
  for (const std::string_view value : values) {
    const auto numbers = BytesReader(value).get<std::vector<std::uint64_t>>();
    sum.resize(std::max(sum.size(), numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) sum[i] += numbers[i];
  }
  BytesWriter bytes;
  bytes.put(sum);
  return bytes.take();
}

std::string add_sparse(std::span<const std::string_view> values) {
  std::vector<std::uint64_t> sum;
  for (const std::string_view value : values) {
    BytesReader bytes(value);
    const auto positions = bytes.get<std::vector<std::uint32_t>>();
    const auto numbers = bytes.get<std::vector<std::uint64_t>>();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] >= sum.size()) sum.resize(positions[i] + std::size_t{1});
      sum[positions[i]] += numbers[i];
    }
  }
  BytesWriter bytes;
  bytes.put(sum);
  return bytes.take();
}

std::string add_values(std::span<const std::string_view> values) {
  std::vector<results::ValueCount> sum;
  for (const std::string_view value : values) {
    sum = results::added(sum, BytesReader(value).get<std::vector<results::ValueCount>>());
  }
  BytesWriter bytes;
  bytes.put(sum);
  return bytes.take();
}

std::string add_answers(std::span<const std::string_view> values) {
  release::Answers sum = release::Answers::from_bytes(values.front());
  for (const std::string_view value : values.subspan(1)) sum.add(release::Answers::from_bytes(value));
  return sum.to_bytes();
}

std::string add_scores(std::span<const std::string_view> values) {
  ErrorSums sum;
  for (const std::string_view value : values) {
    BytesReader bytes(value);
    sum.add(ErrorSums::read(bytes));
  }
  BytesWriter bytes;
  sum.write(bytes);
  return bytes.take();
}

// Figures, which are small whatever the number of people.
std::string add_tallies(const Told& told, const Key& key, std::span<const std::string_view> values) {
  results::PeopleTally sum;
  for (std::size_t i = 0; i < values.size(); ++i) {
    BytesReader bytes(values[i]);
    results::PeopleTally next;
    next.read(bytes);
    if (i == 0) {
      sum = std::move(next);
    } else {
      sum.add(next);
    }
  }
  const Told::Result& result = told.results.at(key.of[0]).at(key.of[1]);
  if (!result.control.empty()) {
    BytesReader bytes(result.control);
    results::PeopleTally control;
    control.read(bytes);
    sum.add(control);
  }
  BytesWriter bytes;
  results::write_figures(sum.figures(result.combination, *told.facts), bytes);
  return bytes.take();
}

// Of an attack that plans by place, the plans of those of the key, epoch by epoch of the table; else the summary.
std::vector<Row> plan(const Told& told, const Key& key, std::span<const std::string_view> values) {
  const auto [prior, number, table, begin, end] = key.of;
  const auto attack = told.parsed->adversary.attacks[number]->create();
  std::vector<std::unique_ptr<attack::Summary>> summaries;
  for (const std::string_view value : values) {
    BytesReader bytes(value);
    summaries.push_back(attack->read_summary(bytes));
  }
  const std::unique_ptr<attack::Summary> all = attack::added(std::move(summaries));
  const attack::Summary& everybody = *all;
  const dataset::Crowd crowd{.users = told.people, .rois = told.rois.size() + 1};
  std::vector<Row> rows;
  const auto add = [&](std::uint32_t last, BytesWriter& bytes) {
    rows.push_back({Key{key.merge, key.subject, {prior, number, table, begin, last}}.bytes(), bytes.take()});
  };
  BytesWriter bytes;
  if (!attack->plans_by_place()) {
    everybody.write({0, crowd.rois}, bytes);
    add(0, bytes);
    return rows;
  }
  const std::vector<std::uint32_t>& tables = told.tables.at(prior);
  const std::vector<Request>& requests = told.requests.at({prior, number});
  std::vector<double> dense;
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    for (std::size_t e = 0; e < tables.size(); ++e) {
      if (tables[e] != table) continue;
      BytesWriter part;
      const release::EpochCounts counts = requests[i].counts.at(static_cast<EpochId>(e), dense);
      attack->plan_places(everybody, counts, {begin, end}, crowd)->write(part);
      bytes.put(part.take());
    }
    add(i, bytes);
  }
  for (std::uint32_t i = 0; i < told.taken_out.size(); ++i) {
    everybody.write_person(told.taken_out[i], {begin, end}, bytes);
    add(kFirstPerson + i, bytes);
  }
  return rows;
}

std::string join(std::span<const std::string_view> values) {
  std::string all;
  for (const std::string_view value : values) all += value;
  return all;
}

}  // namespace

std::vector<Row> merge(const Told& told, const std::string& key_bytes, std::span<const std::string_view> values) {
  const Key key = Key::read(key_bytes);
  switch (key.merge) {
    case Merge::kAdd:
      return {{key_bytes, add(values)}};
    case Merge::kSparse:
      return {{key_bytes, add_sparse(values)}};
    case Merge::kValues:
      return {{key_bytes, add_values(values)}};
    case Merge::kAnswers:
      return {{key_bytes, add_answers(values)}};
    case Merge::kJoin:
      return {{key_bytes, join(values)}};
    case Merge::kScores:
      return {{key_bytes, add_scores(values)}};
    case Merge::kTally:
      return {{key_bytes, add_tallies(told, key, values)}};
    case Merge::kPlan:
      return plan(told, key, values);
  }
  return {};
}

}  // namespace hearsay::cluster
