// SPDX-License-Identifier: Apache-2.0
#include "cluster/share.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "cluster/share_stages.h"
#include "ingest/visit_list.h"

namespace hearsay::cluster {
namespace {

template <typename Take>
void for_visits(std::string_view bytes, const Take& take) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t visit = 0;
    std::memcpy(&visit, bytes.data() + at, sizeof(visit));
    take(static_cast<std::uint32_t>(visit >> 32), static_cast<std::uint32_t>(visit));
  }
}

std::uint32_t reports_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(bytes.size() / sizeof(std::uint64_t));
}

std::uint32_t observed_of(std::string_view bytes, std::uint32_t observe) {
  std::uint32_t count = 0;
  for_visits(bytes, [&](std::uint32_t epoch, std::uint32_t) { count += epoch < observe ? 1 : 0; });
  return count;
}

// Visits of people one after another, by epoch.
class VisitsByEpoch {
 public:
  explicit VisitsByEpoch(std::size_t epochs) : epochs_(epochs) {}
  void add(std::string_view visits) {
    for_visits(visits, [&](std::uint32_t epoch, std::uint32_t roi) {
      epochs_.at(epoch).push_back(ingest::VisitList::key(user_, roi));
    });
    ++user_;
  }
  std::vector<std::vector<std::uint64_t>> take() { return std::move(epochs_); }

 private:
  std::vector<std::vector<std::uint64_t>> epochs_;
  std::uint32_t user_ = 0;
};

// Numbers of people by a number each has, as merging adds them up.
std::string histogram_bytes(const std::map<std::uint32_t, std::uint32_t>& histogram) {
  BytesWriter bytes;
  bytes.put(static_cast<std::uint64_t>(histogram.size()));
  for (const auto& [value, people] : histogram) {
    bytes.put(value);
    bytes.put(people);
  }
  return bytes.take();
}

Row row_of(Subject subject, std::uint32_t share, std::string value) {
  return {Key{Merge::kJoin, subject, {share}}.bytes(), std::move(value)};
}

// The people kept of a share, and who they are among everybody as far as that is told.
struct Kept {
  dataset::Dataset dataset;
  std::map<std::uint32_t, std::uint32_t> observed;  // people by visits observed
};

Kept keep(const Told& told, const experiment::Study& study, const ShareRows& rows) {
  const Place place = rows.number < told.shares.size() ? told.shares[rows.number] : Place{};
  std::map<std::uint32_t, std::uint32_t> ranks(place.ranks.begin(), place.ranks.end());
  std::map<std::uint32_t, std::uint32_t> observed;
  std::vector<std::string> ids;
  dataset::ShareOf of{told.people, {}, {}};
  VisitsByEpoch visits(study.calendar().epochs);
  std::uint32_t ties = place.ties;
  for (std::size_t i = 0; i < rows.ids.size(); ++i) {
    const std::uint32_t reports = reports_of(rows.visits[i]);
    if (reports < told.limit) continue;
    if (told.limit > 0 && reports == told.limit) {
      if (ties == 0) continue;
      --ties;
    }
    const std::uint32_t seen = observed_of(rows.visits[i], study.data.observe);
    ++observed[seen];
    of.numbers.push_back(place.first + static_cast<std::uint32_t>(ids.size()));
    of.ranks.push_back(ranks[seen]++);
    ids.emplace_back(rows.ids[i]);
    visits.add(rows.visits[i]);
  }
  of.people = std::max<std::size_t>(of.people, ids.size());
  return {dataset::Dataset(std::move(ids), told.rois, told.columns, visits.take(), study.calendar(), std::move(of)),
          std::move(observed)};
}

}  // namespace

void write_person(const Person& person, BytesWriter& bytes) {
  bytes.put(person.number);
  bytes.put(person.rank);
  bytes.put(person.id);
  bytes.put(person.visits);
}

Person read_person(BytesReader& bytes) {
  Person person;
  bytes.get(person.number);
  bytes.get(person.rank);
  bytes.get(person.id);
  bytes.get(person.visits);
  return person;
}

dataset::Dataset dataset_of(const Told& told, const experiment::Study& study, std::vector<Person> people) {
  std::sort(people.begin(), people.end(), [](const Person& a, const Person& b) { return a.number < b.number; });
  people.erase(
      std::unique(people.begin(), people.end(), [](const Person& a, const Person& b) { return a.number == b.number; }),
      people.end());
  std::vector<std::string> ids;
  dataset::ShareOf of{told.people, {}, {}};
  VisitsByEpoch visits(study.calendar().epochs);
  for (Person& person : people) {
    of.numbers.push_back(person.number);
    of.ranks.push_back(person.rank);
    ids.push_back(std::move(person.id));
    visits.add(person.visits);
  }
  return {std::move(ids), told.rois, told.columns, visits.take(), study.calendar(), std::move(of)};
}

std::vector<Row> run_stage(const Told& told, const ShareRows& rows, std::size_t threads) {
  const experiment::Study& study = *told.parsed;
  if (told.stage == Stage::kLimit) {
    std::map<std::uint32_t, std::uint32_t> reports;
    for (const std::string_view visits : rows.visits) ++reports[reports_of(visits)];
    return {row_of(Subject::kReports, rows.number, histogram_bytes(reports))};
  }
  const Kept kept = keep(told, study, rows);
  std::vector<Row> found;
  if (told.stage == Stage::kCount) {
    found.push_back(row_of(Subject::kObserved, rows.number, histogram_bytes(kept.observed)));
  }
  if (kept.dataset.crowd().users > 0) run_stage(told, study, kept.dataset, threads, found);
  return found;
}

}  // namespace hearsay::cluster
