// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>

#include "arrays.h"
#include "base/errors.h"
#include "beliefs.h"
#include "own_entries.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr std::array<const char*, 3> kOutputs = {"distribution", "assignment", "rates"};  // by kind

// Asks Python epoch by epoch.
class OwnInference final : public attack::Inference {
 public:
  OwnInference(const Held& object, const std::string& name, Kind kind, const std::shared_ptr<Job>& job,
               const attack::Task& task)
      : object_(object), name_(name), kind_(kind), job_(job), task_(task) {}

  belief::Beliefs at(EpochId epoch) override {
    const std::size_t table = task_.prior.table_of(epoch);
    if (before_ == nullptr || table != table_) {
      before_ = std::make_shared<OwnBeliefs>(task_.prior.table(table), task_.crowd);
      table_ = table;
    }
    const release::EpochCounts counts = task_.published.fine().at(epoch, task_.workspace.dense);
    after_ = run_python(*job_, [&] { return ask(counts.dense); });
    return after_->view();
  }

 private:
  SharedBeliefs ask(std::span<const double> counts) const {
    const std::string who = name_ + ".infer";
    const nb::object before = nb::cast(before_);
    const nb::object seen = owned_array(std::vector<double>(counts.begin(), counts.end())).cast();
    SharedBeliefs given = beliefs_from(object_.get().attr("infer")(before, seen), kind_, task_.crowd, who);
    const Kind kind = kind_of(given->view());
    if (kind == kind_) return given;
    // Every prior can be read as a distribution, so an attack may hand back what it was given.
    if (kind_ == Kind::kDistribution) return beliefs_from(nb::cast(given).attr("dense")(), kind_, task_.crowd, who);
    throw InputError({who, 0, ""}, fmt::format("gave {}, though its output is \"{}\"; give an array of users x ROIs",
                                               kind == Kind::kAssignment ? "an assignment"
                                               : kind == Kind::kRates    ? "rates"
                                                                         : "a distribution",
                                               kOutputs[static_cast<std::size_t>(kind_)]));
  }

  const Held& object_;
  const std::string& name_;
  Kind kind_;
  std::shared_ptr<Job> job_;
  attack::Task task_;
  std::size_t table_ = 0;
  std::shared_ptr<OwnBeliefs> before_;  // of the table at hand, copied once for all epochs that share it
  SharedBeliefs after_;
};

class OwnAttack final : public attack::Attack {
 public:
  OwnAttack(Held object, std::string name, Kind kind, std::shared_ptr<Job> job)
      : object_(std::move(object)), name_(std::move(name)), kind_(kind), job_(std::move(job)) {}

  std::unique_ptr<attack::Inference> infer(const attack::Task& task) const override {
    return std::make_unique<OwnInference>(object_, name_, kind_, job_, task);
  }

 private:
  Held object_;
  std::string name_;
  Kind kind_;
  std::shared_ptr<Job> job_;
};

}  // namespace

attack::AttackEntry own_attack(nb::handle given, const std::shared_ptr<Job>& job) {
  attack::AttackEntry entry;
  entry.info = own_info(given, 1000);
  const auto output = nb::cast<std::string>(nb::getattr(given, "output", nb::str("distribution")));
  const auto known = std::find(kOutputs.begin(), kOutputs.end(), output);
  if (known == kOutputs.end()) {
    throw ConfigError(entry.info.name + ".output", output, "must be \"distribution\", \"assignment\" or \"rates\"");
  }
  const auto kind = static_cast<Kind>(known - kOutputs.begin());
  entry.output = kind == Kind::kAssignment ? attack::Output::kAssignment
                 : kind == Kind::kRates    ? attack::Output::kRates
                                           : attack::Output::kDistribution;
  entry.needs_rates = nb::cast<bool>(nb::getattr(given, "needs_rates", nb::bool_(false)));
  entry.whole_crowd = true;
  entry.make = [held = Held(instance_of(given)), name = entry.info.name, kind,
                job](const Parameters&) -> std::unique_ptr<attack::Attack> {
    return std::make_unique<OwnAttack>(held, name, kind, job);
  };
  return entry;
}

}  // namespace hearsay::python
