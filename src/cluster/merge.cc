// SPDX-License-Identifier: Apache-2.0
#include "cluster/merge.h"

#include <map>
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

// Of an attack that plans by place, the plans of those of the key, request by request and epoch by epoch of the table;
// else the summary.
std::string plan(const Told& told, const Key& key, std::span<const std::string_view> values) {
  const experiment::Study& study = *told.parsed;
  const auto [prior, number, table, begin, end] = key.of;
  const auto attack = study.adversary.attacks[number]->create();
  std::vector<std::unique_ptr<attack::Summary>> summaries;
  for (const std::string_view value : values) {
    BytesReader bytes(value);
    summaries.push_back(attack->read_summary(bytes));
  }
  // Neighbours first, so that everything is copied only so often as they can be halved.
  for (std::size_t step = 1; step < summaries.size(); step *= 2) {
    for (std::size_t i = 0; i + step < summaries.size(); i += 2 * step) {
      summaries[i]->add(std::move(summaries[i + step]));
    }
  }
  const dataset::Crowd crowd{.users = told.people, .rois = told.rois.size() + 1};
  BytesWriter bytes;
  if (!attack->plans_by_place()) {
    summaries.front()->write({0, crowd.rois}, bytes);
    return bytes.take();
  }
  const std::vector<std::uint32_t>& tables = told.tables.at(prior);
  std::vector<double> dense;
  for (const Request& request : told.requests.at({prior, number})) {
    for (std::size_t e = 0; e < tables.size(); ++e) {
      if (tables[e] != table) continue;
      const auto epoch = static_cast<EpochId>(e);
      BytesWriter part;
      attack->plan_places(*summaries.front(), request.counts.at(epoch, dense), {begin, end}, crowd)->write(part);
      bytes.put(part.take());
    }
  }
  return bytes.take();
}

}  // namespace

std::string merge(const Told& told, std::string_view key_bytes, std::span<const std::string_view> values) {
  const Key key = Key::read(key_bytes);
  switch (key.merge) {
    case Merge::kAdd:
      return add(values);
    case Merge::kSparse:
      return add_sparse(values);
    case Merge::kValues:
      return add_values(values);
    case Merge::kAnswers:
      return add_answers(values);
    case Merge::kScores:
      return add_scores(values);
    case Merge::kTally:
      return add_tallies(told, key, values);
    case Merge::kPlan:
      return plan(told, key, values);
    case Merge::kJoin:
      break;
  }
  std::string all;
  for (const std::string_view value : values) all += value;
  return all;
}

}  // namespace hearsay::cluster
