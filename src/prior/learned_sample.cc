// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"
#include "prior/learned.h"

namespace hearsay::prior {
namespace {

constexpr std::uint64_t kSeed = 0x6c6561726e;
constexpr double kVisits = 1'000'000;  // of the users drawn, about
constexpr double kMoments = 600'000;   // epochs of people that are looked at, about
constexpr double kEachLabel = 16'000;  // examples, about
constexpr std::uint64_t kHeldOut = 5;  // one in so many examples
constexpr std::size_t kChunk = 64;     // users

struct Counts {
  std::array<std::uint64_t, 2> places = {};  // by label
  std::array<std::uint64_t, 2> null = {};
};

// Examples to fit on, and others to try the model on.
struct Parts {
  Examples fitted;
  Examples held_out;

  void add(std::uint64_t key, bool label, std::span<const double> first, std::span<const double> last = {}) {
    Examples& part = mix(key, kSeed) % kHeldOut == 0 ? held_out : fitted;
    part.rows.insert(part.rows.end(), first.begin(), first.end());
    part.rows.insert(part.rows.end(), last.begin(), last.end());
    part.labels.push_back(label ? 1 : 0);
  }
  void append(const Parts& next) {
    for (const auto& [own, other] : {std::pair{&fitted, &next.fitted}, std::pair{&held_out, &next.held_out}}) {
      own->rows.insert(own->rows.end(), other->rows.begin(), other->rows.end());
      own->labels.insert(own->labels.end(), other->labels.begin(), other->labels.end());
    }
  }
  void finish(std::size_t features, const std::array<double, 2>& rates) {
    for (Examples* part : {&fitted, &held_out}) {
      part->features = features;
      part->weights = {1 / rates[0], 1 / rates[1]};
    }
  }
};

std::array<double, 2> rates_of(const std::array<std::uint64_t, 2>& counts) {
  std::array<double, 2> rates = {1, 1};
  for (std::size_t label = 0; label < 2; ++label) {
    rates[label] = std::min(1.0, kEachLabel / static_cast<double>(std::max<std::uint64_t>(1, counts[label])));
  }
  return rates;
}

// Every cell that may be an example, with a key that decides whether it is drawn.
class Cells {
 public:
  Cells(const Knowledge& knowledge, const Ground& ground, const std::vector<UserId>& users, const Traces& traces)
      : knowledge_(knowledge), ground_(ground), users_(users), traces_(traces) {
    const double moments = static_cast<double>(users.size()) * (ground.calendar.observe - ground.history);
    rate_ = std::min(1.0, kMoments / std::max(1.0, moments));
  }

  std::size_t chunks() const { return (users_.size() + kChunk - 1) / kChunk; }

  // Calls null(key, label, view) and place(key, label, roi, view), chunks of users several at once.
  template <typename OnNull, typename OnPlace>
  void walk(const OnNull& null, const OnPlace& place) const {
    const std::size_t rois = knowledge_.observation.crowd().rois;
    std::vector<PersonView> views(knowledge_.threads, PersonView(ground_, rois));
    parallel_for(chunks(), knowledge_.threads, [&](std::size_t chunk, std::size_t worker) {
      const std::size_t end = std::min(users_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < end; ++i) walk_one(chunk, i, views[worker], null, place);
    });
  }

 private:
  template <typename OnNull, typename OnPlace>
  void walk_one(std::size_t chunk, std::size_t index, PersonView& view, const OnNull& null,
                const OnPlace& place) const {
    const std::uint64_t user = mix(kSeed + 1, knowledge_.observation.crowd().number_of(users_[index]));
    if (unit_of(user) >= rate_) return;
    const std::span<const Stop> stops = traces_.of(index);
    view.open(stops);
    auto stop =
        std::partition_point(stops.begin(), stops.end(), [&](const Stop& one) { return one.epoch < ground_.history; });
    for (std::uint32_t e = ground_.history; e < ground_.calendar.observe; ++e) {
      const auto begin = stop;
      while (stop != stops.end() && stop->epoch == e) ++stop;
      const std::uint64_t moment = mix(user, e);
      view.at(e);
      null(chunk, mix(moment, kSeed), begin == stop, view);
      auto there = begin;
      for (const std::uint32_t roi : view.candidates()) {
        while (there != stop && there->roi < roi) ++there;
        place(chunk, mix(moment, roi), there != stop && there->roi == roi, roi, view);
      }
    }
  }

  const Knowledge& knowledge_;
  const Ground& ground_;
  const std::vector<UserId>& users_;
  const Traces& traces_;
  double rate_ = 1;
};

}  // namespace

std::uint32_t earlier_part(const dataset::Calendar& calendar) {
  const std::uint32_t day = calendar.per_day();
  const std::uint32_t days = calendar.observe / day;
  return calendar.observe - (days >= 14 ? 7 : days / 2) * day;
}

bool is_drawn(const dataset::ObservedCounts& counts, std::uint32_t number) {
  const double rate = kVisits / static_cast<double>(std::max<std::uint64_t>(1, counts.total));
  return rate >= 1 || unit_of(mix(kSeed, number)) < rate;
}

std::vector<UserId> draw_users(const dataset::ObservedCounts& counts, const dataset::Crowd& crowd) {
  std::vector<UserId> drawn;
  for (std::size_t i = 0; i < crowd.users; ++i) {
    const auto user = static_cast<UserId>(i);
    if (is_drawn(counts, crowd.number_of(user))) drawn.push_back(user);
  }
  return drawn;
}

Learned learn(const Knowledge& knowledge, const Ground& ground, const std::vector<UserId>& users,
              const Traces& traces) {
  const Cells cells(knowledge, ground, users, traces);
  std::vector<Counts> counts(cells.chunks());
  cells.walk([&](std::size_t chunk, std::uint64_t, bool label, PersonView&) { ++counts[chunk].null[label ? 1 : 0]; },
             [&](std::size_t chunk, std::uint64_t, bool label, std::uint32_t, PersonView&) {
               ++counts[chunk].places[label ? 1 : 0];
             });
  Counts all;
  for (const Counts& some : counts) {
    for (std::size_t label = 0; label < 2; ++label) {
      all.places[label] += some.places[label];
      all.null[label] += some.null[label];
    }
  }
  const std::array<double, 2> place_rates = rates_of(all.places);
  const std::array<double, 2> null_rates = rates_of(all.null);
  std::vector<Parts> place_parts(cells.chunks());
  std::vector<Parts> null_parts(cells.chunks());
  cells.walk(
      [&](std::size_t chunk, std::uint64_t key, bool label, PersonView& view) {
        if (unit_of(key) < null_rates[label ? 1 : 0]) null_parts[chunk].add(key, label, view.null());
      },
      [&](std::size_t chunk, std::uint64_t key, bool label, std::uint32_t roi, PersonView& view) {
        if (unit_of(key) >= place_rates[label ? 1 : 0]) return;
        place_parts[chunk].add(key, label, view.person(), view.cell(roi));
      });
  Parts places;
  Parts null;
  for (const Parts& part : place_parts) places.append(part);
  for (const Parts& part : null_parts) null.append(part);
  places.finish(ground.person_features() + ground.cell_features(), place_rates);
  null.finish(ground.person_features() + 1, null_rates);

  Learned learned;
  std::array<std::vector<belief::Lesson>, 2> lessons;
  parallel_for(2, knowledge.threads, [&](std::size_t which, std::size_t) {
    const Parts& parts = which == 0 ? places : null;
    ProductModel& model = which == 0 ? learned.places : learned.null;
    model = ProductModel(parts.fitted);
    lessons[which] = importances(model, parts.held_out, which == 0 ? ground.place_names() : ground.null_names(), kSeed);
  });
  for (belief::Lesson& lesson : lessons[0]) learned.lessons.push_back({"where: " + lesson.feature, lesson.importance});
  for (belief::Lesson& lesson : lessons[1]) {
    learned.lessons.push_back({"whether out: " + lesson.feature, lesson.importance});
  }
  std::stable_sort(learned.lessons.begin(), learned.lessons.end(),
                   [](const belief::Lesson& a, const belief::Lesson& b) { return a.importance > b.importance; });
  return learned;
}

}  // namespace hearsay::prior
