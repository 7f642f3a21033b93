// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "arrays.h"
#include "base/errors.h"
#include "ingest/visit_list.h"
#include "own_entries.h"
#include "release/visits_by_user.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr std::uint64_t kStreams = 0x6f776e6b656570;  // those of people, apart from those of places
constexpr std::size_t kPeopleAtATime = 10000;         // where the class does not say

// All visits of some people, by person, epoch and place.
struct Batch {
  std::vector<std::uint32_t> people;
  std::vector<std::uint64_t> seeds;      // one a person
  std::vector<std::uint32_t> begins{0};  // of each person's visits, and the end of the last
  std::vector<std::uint32_t> person{};   // one a visit, as are the others
  std::vector<std::uint32_t> place{};
  std::vector<std::uint32_t> epoch{};
  std::vector<double> random{};

  void add(std::uint32_t user, std::span<const release::VisitsByUser::Visit> visits, RandomBits& bits) {
    people.push_back(user);
    seeds.push_back(bits());
    for (const release::VisitsByUser::Visit& visit : visits) {
      person.push_back(user);
      place.push_back(static_cast<std::uint32_t>(visit.roi));
      epoch.push_back(visit.epoch);
      random.push_back(bits.unit());
    }
    begins.push_back(static_cast<std::uint32_t>(person.size()));
  }

  // One of its people.
  Batch only(std::size_t which) const {
    const auto part = [&](const auto& all) {
      return std::remove_cvref_t<decltype(all)>(all.begin() + begins[which], all.begin() + begins[which + 1]);
    };
    return {{people[which]}, {seeds[which]}, {0, begins[which + 1] - begins[which]}, part(person), part(place),
            part(epoch),     part(random)};
  }

  // The number of a visit, or of visits in all where it is none of them.
  std::size_t find(std::int64_t user, std::int64_t where, std::int64_t when) const {
    const auto owner = std::lower_bound(people.begin(), people.end(), user);
    if (owner == people.end() || *owner != user) return person.size();
    const auto own = begins.begin() + (owner - people.begin());
    const auto last = epoch.begin() + own[1];
    auto at = std::lower_bound(epoch.begin() + own[0], last, when);
    for (; at != last && *at == when; ++at) {
      if (place[static_cast<std::size_t>(at - epoch.begin())] == where) {
        return static_cast<std::size_t>(at - epoch.begin());
      }
    }
    return person.size();
  }
};

using Mask = std::vector<std::uint8_t>;  // by visit: whether it is kept

// How many visits of a person it says it keeps.
struct Stated {
  release::Window window;
  std::uint64_t most;
};

std::optional<Stated> stated_by(nb::handle object, const std::string& name) {
  if (!nb::hasattr(object, "sensitivity")) return std::nullopt;
  const nb::object given = object.attr("sensitivity")();
  if (given.is_none()) return std::nullopt;
  const std::string key = name + ".sensitivity";
  const ConfigError wrong(
      key, nb::repr(given).c_str(),
      "must be {\"at_most\": visits, \"per\": \"epoch\", \"day\", \"week\" or \"release\"}, with at "
      "least 1 visit");
  if (!nb::isinstance<nb::dict>(given)) throw wrong;
  const nb::object per = given.attr("get")("per", "release");
  const nb::object most = nb::borrow(given).attr("get")("at_most");
  const std::vector<std::string>& windows = release::window_names();
  const auto window = std::find(windows.begin(), windows.end(), std::string(nb::str(per).c_str()));
  std::int64_t number = 0;
  if (window == windows.end() || !nb::try_cast(most, number, false) || number < 1) throw wrong;
  return Stated{static_cast<release::Window>(window - windows.begin()), static_cast<std::uint64_t>(number)};
}

// Leaves out visits of people, as Python says.
class OwnVisitsStep final : public release::Step {
 public:
  OwnVisitsStep(Held object, std::string name, std::shared_ptr<Job> job)
      : object_(std::move(object)),
        name_(std::move(name)),
        job_(std::move(job)),
        stated_(stated_by(object_.get(), name_)),
        by_person_(nb::cast<bool>(nb::getattr(object_.get(), "by_person", nb::bool_(false)))) {
    const nb::object batch = nb::getattr(object_.get(), "batch", nb::int_(kPeopleAtATime));
    std::int64_t people = 0;
    if (!nb::try_cast(batch, people, false) || people < 1) {
      throw ConfigError(name_ + ".batch", nb::repr(batch).c_str(), "must be a number of people, at least 1");
    }
    batch_ = static_cast<std::size_t>(people);
  }

  bool gives_visits() const override { return true; }
  bool by_person() const override { return by_person_; }
  void describe(const release::Draft&, release::Rule& rule) const override { rule.exact = false; }

  release::Guarantee carried(const release::Guarantee& later) const override {
    const auto none = [](std::string note) {
      return release::Guarantee{std::nullopt, "none", std::move(note), std::nullopt};
    };
    if (!stated_) {
      return none(
          fmt::format("{} states no sensitivity: nobody knows how many counts a person can still change.", name_));
    }
    if (!by_person_) {
      return none(
          fmt::format("{} does not say by_person: leaving a person out may change what is kept of others.", name_));
    }
    if (later.unit != release::name_of(release::Unit::kUser)) {
      return none(
          fmt::format("What {} keeps of a person may depend on all visits of that person: only noise for a whole "
                      "one (unit=user) has a guarantee after it.",
                      name_));
    }
    release::Guarantee promise = later;
    promise.others.clear();  // they are about less than a person
    promise.note += fmt::format(
        "{}It rests on {}, which is the publisher's own: at most {} visits of a person per {} "
        "were kept, and it says that these depend on that person alone.",
        promise.note.empty() ? "" : " ", name_, stated_->most, window_name());
    return promise;
  }

  release::Draft apply(const release::Draft& draft, const release::NoiseSource& source) const override {
    const release::Reach& reach = draft.reach();
    if (stated_ && reach.seconds_of(stated_->window) % reach.epoch_seconds() != 0) {
      throw ConfigError(name_ + ".sensitivity", window_name(),
                        fmt::format("does not fit epochs of {} seconds", reach.epoch_seconds()));
    }
    release::VisitsByUser visits(draft);
    std::vector<std::vector<std::uint64_t>> kept(draft.visits().epochs());
    // A secure source is no more secure for being opened for each person.
    const auto secure = source.secure() ? source.stream(kStreams) : nullptr;
    Batch batch;
    for (std::size_t user = 0; user < visits.users(); ++user) {
      if (visits.of(user).empty()) continue;
      const auto own = secure == nullptr ? source.stream(mix(kStreams, user)) : nullptr;
      batch.add(static_cast<std::uint32_t>(user), visits.of(user), secure == nullptr ? *own : *secure);
      if (by_person_ && batch.people.size() == batch_) keep_some(std::exchange(batch, {}), reach, kept);
    }
    if (!batch.people.empty()) keep_some(batch, reach, kept);
    return stated_ ? draft.bounded(std::move(kept), stated_->window, stated_->most)
                   : draft.with_visits(std::move(kept));
  }

 private:
  const std::string& window_name() const { return release::window_names()[static_cast<std::size_t>(stated_->window)]; }

  [[noreturn]] void fail(const std::string& message) const { throw InputError({name_ + ".keep", 0, ""}, message); }

  void keep_some(const Batch& batch, const release::Reach& reach, std::vector<std::vector<std::uint64_t>>& kept) const {
    const Mask mask = answer(batch, reach);
    if (stated_) check_sensitivity(batch, mask, reach);
    if (by_person_) check_by_person(batch, mask, reach);
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (mask[i] != 0) kept[batch.epoch[i]].push_back(ingest::VisitList::key(batch.person[i], batch.place[i]));
    }
  }

  Mask answer(const Batch& batch, const release::Reach& reach) const {
    return run_python(*job_, [&] { return ask(batch, reach); });
  }

  Mask ask(const Batch& batch, const release::Reach& reach) const {
    const nb::object visits =
        nb::module_::import_("hearsay._visits")
            .attr("Visits")(owned_array(batch.people), owned_array(batch.seeds), owned_array(batch.begins),
                            owned_array(batch.person), owned_array(batch.place), owned_array(batch.epoch),
                            owned_array(batch.random), reach.epoch_seconds());
    const nb::object given = object_.get().attr("keep")(visits);
    return nb::isinstance<nb::tuple>(given) ? mask_of_visits(batch, given) : mask_of_answers(batch, given);
  }

  Mask mask_of_answers(const Batch& batch, nb::handle given) const {
    const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(given);
    const bool answers = nb::cast<std::string>(array.attr("dtype").attr("kind")) == "b";
    nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu> mask;
    if (!answers || !nb::try_cast(array, mask) || mask.shape(0) != batch.person.size()) {
      const nb::object shape = array.attr("shape");
      const nb::object type = array.attr("dtype");
      fail(fmt::format(
          "gave an array of {}, shape {}; expected True or False for each of {} visits, or a tuple of three "
          "arrays: person, place and epoch of those kept",
          nb::str(type).c_str(), nb::str(shape).c_str(), batch.person.size()));
    }
    return {mask.data(), mask.data() + mask.shape(0)};
  }

  Mask mask_of_visits(const Batch& batch, nb::handle given) const {
    if (nb::len(given) != 3) fail("gave a tuple; expected person, place and epoch of the visits kept");
    using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    std::array<Numbers, 3> columns;
    const nb::module_ numpy = nb::module_::import_("numpy");
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const nb::object array = numpy.attr("asarray")(given[i]);
      const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
      const bool whole = kind == "i" || kind == "u" || nb::cast<std::size_t>(array.attr("size")) == 0;
      if (!whole || !nb::try_cast(numpy.attr("ascontiguousarray")(array, nb::arg("dtype") = "int64"), columns[i]) ||
          columns[i].shape(0) != columns[0].shape(0)) {
        fail("gave a tuple; expected person, place and epoch of the visits kept: whole numbers, as many of each");
      }
    }
    Mask mask(batch.person.size());
    for (std::size_t i = 0; i < columns[0].shape(0); ++i) {
      const auto words = [&] {
        return fmt::format("person {}, place {}, epoch {}", columns[0](i), columns[1](i), columns[2](i));
      };
      const std::size_t found = batch.find(columns[0](i), columns[1](i), columns[2](i));
      if (found == mask.size()) fail("gave a visit that it did not get: " + words() + "; it may leave out, not add");
      if (std::exchange(mask[found], 1) != 0) fail("gave a visit twice: " + words());
    }
    return mask;
  }

  void check_sensitivity(const Batch& batch, const Mask& mask, const release::Reach& reach) const {
    for (std::size_t who = 0; who < batch.people.size(); ++who) {
      std::size_t window = 0;
      std::uint64_t count = 0;
      const auto check = [&] {
        if (count <= stated_->most) return;
        const bool all = stated_->window == release::Window::kRelease;
        fail(fmt::format("kept {} visits of person {} in {}, though it states at most {} per {}", count,
                         batch.people[who], all ? "all" : fmt::format("{} {} (the first is 0)", window_name(), window),
                         stated_->most, window_name()));
      };
      for (std::size_t i = batch.begins[who]; i < batch.begins[who + 1]; ++i) {
        const std::size_t now = reach.window_of(stated_->window, batch.epoch[i]);
        if (now != window) {
          check();
          count = 0;
          window = now;
        }
        count += mask[i];
      }
      check();
    }
  }

  // Some people of a batch, asked about alone: more would cost as much again.
  void check_by_person(const Batch& batch, const Mask& mask, const release::Reach& reach) const {
    const std::size_t people = batch.people.size();
    for (const std::size_t who : {std::size_t{0}, people / 2, people - 1}) {
      const Mask alone = answer(batch.only(who), reach);
      if (!std::equal(alone.begin(), alone.end(), mask.begin() + batch.begins[who])) {
        fail(
            fmt::format("kept other visits of person {} among {} people than when asked about that person alone, "
                        "though it says by_person",
                        batch.people[who], people));
      }
    }
  }

  Held object_;
  std::string name_;
  std::shared_ptr<Job> job_;
  std::optional<Stated> stated_;
  bool by_person_;
  std::size_t batch_ = kPeopleAtATime;  // people
};

}  // namespace

std::unique_ptr<release::Step> own_visits_step(const Held& object, const std::string& name,
                                               const std::shared_ptr<Job>& job) {
  return std::make_unique<OwnVisitsStep>(object, name, job);
}

}  // namespace hearsay::python
