// SPDX-License-Identifier: Apache-2.0
#include "cluster/share_stages.h"

#include <algorithm>
#include <memory>

#include "attack/likely_counts.h"
#include "cluster/ground.h"
#include "cluster/result_rows.h"
#include "cluster/share.h"
#include "dataset/people.h"
#include "goal/inference.h"
#include "goal/ranges.h"
#include "release/aggregate.h"
#include "release/noise_source.h"

namespace hearsay::cluster {
namespace {

// Adds what a share says of one thing.
class Rows {
 public:
  explicit Rows(std::vector<Row>& found) : found_(found) {}
  void add(const Key& key, BytesWriter& bytes) { found_.push_back({key.bytes(), bytes.take()}); }
  void add(const Key& key, std::span<const std::uint64_t> numbers) {
    BytesWriter bytes;
    bytes.put(numbers);
    add(key, bytes);
  }
  // Those above 0, by position.
  void add_sparse(const Key& key, std::span<const std::uint64_t> numbers) {
    std::vector<std::uint32_t> positions;
    std::vector<std::uint64_t> values;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] == 0) continue;
      positions.push_back(static_cast<std::uint32_t>(i));
      values.push_back(numbers[i]);
    }
    BytesWriter bytes;
    bytes.put(positions);
    bytes.put(values);
    add(key, bytes);
  }
  // Counts of whole people, epoch by epoch: key.of[2] is the epoch.
  void add_counts(Key key, const release::CountMatrix& counts) {
    std::vector<std::uint64_t> column(counts.rois());
    for (std::size_t e = 0; e < counts.epochs(); ++e) {
      for (std::size_t roi = 0; roi < column.size(); ++roi) {
        column[roi] = static_cast<std::uint64_t>(counts.series(roi)[e]);
      }
      key.of[2] = static_cast<std::uint32_t>(e);
      add_sparse(key, column);
    }
  }

 private:
  std::vector<Row>& found_;
};

class Stages {
 public:
  Stages(const Told& told, const experiment::Study& study, const dataset::Dataset& share, std::size_t threads,
         std::vector<Row>& found)
      : told_(told), study_(study), share_(share), threads_(threads), found_(found), rows_(found) {}

  void run() {
    switch (told_.stage) {
      case Stage::kLimit:
        break;
      case Stage::kCount:
        count();
        break;
      case Stage::kPrepare:
        prepare();
        break;
      case Stage::kContribute:
        contribute();
        break;
      case Stage::kExpect:
        expect();
        break;
      case Stage::kPlan:
        summarise();
        break;
      case Stage::kInfer:
        infer();
        break;
      case Stage::kName:
        name();
        break;
    }
  }

 private:
  static Key key(Merge merge, Subject subject, std::array<std::uint32_t, 5> of = {}) { return {merge, subject, of}; }

  void count() {
    const dataset::Crowd& crowd = share_.crowd();
    std::vector<std::uint64_t> column(crowd.rois);
    for (std::uint32_t e = 0; e < share_.calendar().epochs; ++e) {
      const dataset::EpochVisits visits = share_.visits().at(static_cast<EpochId>(e));
      std::fill(column.begin(), column.end(), 0);
      for (const RoiId roi : visits.rois) ++column[index_of(roi)];
      column.back() = crowd.users - visits.users.size();
      rows_.add_sparse(key(Merge::kSparse, Subject::kCounts, {0, 0, e}), column);
    }
    const dataset::People people = dataset::describe_people(share_, threads_);
    std::vector<std::uint64_t> facts = {share_.visits().size(), 0, 0};
    for (const double reports : people.reports) {
      facts[1] += reports <= 1 ? 1 : 0;
      facts[2] += reports <= 2 ? 1 : 0;
    }
    rows_.add(key(Merge::kAdd, Subject::kFacts), facts);
    rows_.add(key(Merge::kAdd, Subject::kVisitors), dataset::inference_visitors(share_));
    std::uint32_t grouping = 0;
    for (const std::vector<results::ValueCount>& counts : results::counts_of(people)) {
      BytesWriter bytes;
      bytes.put(counts);
      rows_.add(key(Merge::kValues, Subject::kValues, {grouping++}), bytes);
    }
  }

  void prepare() {
    const ShareGround ground(told_, study_, share_, threads_);
    const release::Draft raw(share_.truth(), std::nullopt, threads_);
    for (std::uint32_t d = 0; d < study_.defences.size(); ++d) {
      const goal::Defence& defence = study_.defences[d];
      const release::Chain& chain = defence.chain;
      for (std::uint32_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        if (!chain.reads_visits()) continue;
        const auto noise = defence.noise(study_.seed, repeat);
        const release::Draft draft = chain.prepare(raw, *noise);
        found_.push_back(
            {key(Merge::kAnswers, Subject::kAnswers, {d, repeat}).bytes(), chain.ask(draft, *noise).to_bytes()});
        if (!chain.gives_visits()) continue;
        rows_.add_counts(key(Merge::kSparse, Subject::kPrepared, {d, repeat}),
                         release::CountMatrix(release::aggregate(draft.visits(), threads_)));
        const release::Geometry& geometry = draft.geometry();
        if (repeat > 1 || geometry.is_fine()) continue;
        const release::Draft merged =
            raw.merged(geometry.place_of, geometry.places, geometry.epoch_of, geometry.epochs);
        rows_.add_counts(key(Merge::kSparse, Subject::kCoarse, {d}),
                         release::CountMatrix(release::aggregate(merged.visits(), threads_)));
      }
    }
    send_people(Subject::kTakenOut, 0, [&](std::uint32_t number) { return is_taken_out(told_, study_, number); });
    if (told_.asks_for_everybody()) send_people(Subject::kEverybody, 0, [](std::uint32_t) { return true; });
    for (std::uint32_t p = 0; p < study_.adversary.priors.size(); ++p) {
      if (const auto learning = ground.learning(p)) {
        send_people(Subject::kWanted, p, [&](std::uint32_t number) { return learning->wants(number); });
      }
    }
  }

  // The visits of some people, all of them together.
  template <typename Chosen>
  void send_people(Subject subject, std::uint32_t of, const Chosen& chosen) {
    const dataset::Crowd& crowd = share_.crowd();
    std::vector<std::uint32_t> people;  // by user: its number among those sent and one, or 0
    std::vector<Person> sent;
    people.resize(crowd.users);
    for (std::uint32_t u = 0; u < crowd.users; ++u) {
      const std::uint32_t number = crowd.number_of(UserId{u});
      if (!chosen(number)) continue;
      sent.push_back({number, crowd.ranks[u], share_.user_ids()[u], {}});
      people[u] = static_cast<std::uint32_t>(sent.size());
    }
    if (sent.empty()) return;
    for (std::uint32_t e = 0; e < share_.calendar().epochs; ++e) {
      const dataset::EpochVisits visits = share_.visits().at(static_cast<EpochId>(e));
      for (std::size_t row = 0; row < visits.users.size(); ++row) {
        const std::uint32_t person = people[index_of(visits.users[row])];
        if (person == 0) continue;
        for (const RoiId roi : visits.rois_of(row)) {
          const std::uint64_t visit = std::uint64_t{e} << 32 | static_cast<std::uint32_t>(roi);
          sent[person - 1].visits.append(reinterpret_cast<const char*>(&visit), sizeof(visit));
        }
      }
    }
    BytesWriter bytes;
    for (const Person& person : sent) write_person(person, bytes);
    rows_.add(key(Merge::kJoin, subject, {of}), bytes);
  }

  void contribute() {
    const ShareGround ground(told_, study_, share_, threads_);
    for (const std::uint32_t p : told_.priors) {
      if (const auto unfinished = ground.predict(p)) {
        rows_.add(key(Merge::kAdd, Subject::kLearned, {p}), unfinished->contribution());
      }
    }
  }

  void expect() {
    const ShareGround ground(told_, study_, share_, threads_);
    for (const std::uint32_t p : told_.priors) {
      const std::shared_ptr<const belief::Series> series = ground.prior(p);
      for (std::uint32_t table = 0; table < series->tables(); ++table) {
        rows_.add(key(Merge::kAdd, Subject::kExpected, {p, table}),
                  attack::expected_units(series->table(table), share_.crowd()));
      }
    }
  }

  void summarise() {
    const ShareGround ground(told_, study_, share_, threads_);
    const std::size_t rois = share_.crowd().rois;
    for (const std::uint32_t p : told_.priors) {
      const std::shared_ptr<const belief::Series> series = ground.prior(p);
      for (std::uint32_t a = 0; a < study_.adversary.attacks.size(); ++a) {
        if (!told_.requests.contains({p, a})) continue;
        const auto attack = study_.adversary.attacks[a]->create();
        const goal::Summaries summaries = goal::summarise(*attack, *series, share_.crowd(), threads_, BlockSizes{});
        for (std::uint32_t table = 0; table < summaries.size(); ++table) {
          const std::size_t ranges = summaries[table]->splits() ? ranges_of(summaries.size()) : 1;
          for (std::size_t range = 0; range < ranges; ++range) {
            const attack::PlaceRange places{rois * range / ranges, rois * (range + 1) / ranges};
            BytesWriter bytes;
            summaries[table]->write(places, bytes);
            rows_.add(
                key(Merge::kPlan, Subject::kSummary,
                    {p, a, table, static_cast<std::uint32_t>(places.begin), static_cast<std::uint32_t>(places.end)}),
                bytes);
          }
        }
      }
    }
  }

  // About as many candidates in each; the same in every share.
  std::size_t ranges_of(std::size_t tables) const {
    const std::size_t ranges = told_.whole.observed.total / tables / told_.range_candidates + 1;
    return std::min(ranges, share_.crowd().rois);
  }

  void infer() {
    const ShareGround ground(told_, study_, share_, threads_);
    ResultRows results(told_, study_, share_, found_);
    goal::Inference inference(ground.ground());
    for (const std::uint32_t p : told_.priors) {
      results.open(p);
      inference.run(*study_.adversary.priors[p], [&](const goal::Result& result) { results.add(result); });
    }
  }

  void name() {
    const dataset::Crowd& crowd = share_.crowd();
    BytesWriter bytes;
    for (std::uint32_t u = 0; u < crowd.users; ++u) {
      const std::uint32_t number = crowd.number_of(UserId{u});
      if (!std::binary_search(told_.named.begin(), told_.named.end(), number)) continue;
      bytes.put(number);
      bytes.put(share_.user_ids()[u]);
    }
    rows_.add(key(Merge::kJoin, Subject::kNames), bytes);
  }

  const Told& told_;
  const experiment::Study& study_;
  const dataset::Dataset& share_;
  std::size_t threads_;
  std::vector<Row>& found_;
  Rows rows_;
};

}  // namespace

void run_stage(const Told& told, const experiment::Study& study, const dataset::Dataset& share, std::size_t threads,
               std::vector<Row>& found) {
  Stages(told, study, share, threads, found).run();
}

}  // namespace hearsay::cluster
