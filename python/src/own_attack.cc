// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "base/errors.h"
#include "beliefs.h"
#include "own_entries.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

// Asks Python epoch by epoch. After an error the run is stopped, and what is returned meanwhile is thrown away.
class OwnInference final : public attack::Inference {
 public:
  OwnInference(const Held& object, const std::string& name, bool binary, const std::shared_ptr<Job>& job,
               const attack::Task& task)
      : object_(object), name_(name), binary_(binary), job_(job), task_(task) {}

  belief::Beliefs at(EpochId epoch) override {
    const std::size_t table = task_.prior.table_of(epoch);
    if (before_ == nullptr || table != table_) {
      before_ = std::make_shared<OwnBeliefs>(task_.prior.table(table), task_.crowd);
      table_ = table;
    }
    if (job_->failed()) return before_->view();
    try {
      const release::EpochCounts counts = task_.published.fine().at(epoch, task_.workspace.dense);
      const nb::gil_scoped_acquire locked;
      const nb::object before = nb::cast(before_);
      const nb::object seen = owned_array(std::vector<double>(counts.dense.begin(), counts.dense.end())).cast();
      const nb::object given = object_.get().attr("infer")(before, seen);
      after_ = beliefs_from(given, binary_, task_.crowd, name_ + ".infer");
      if (after_->binary() != binary_) {
        throw InputError({name_ + ".infer", 0, ""},
                         binary_ ? "gave a distribution, though its output is \"assignment\""
                                 : "gave an assignment; set output = \"assignment\" on the class");
      }
      return after_->view();
    } catch (...) {
      job_->fail();
    }
    return before_->view();
  }

 private:
  const Held& object_;
  const std::string& name_;
  bool binary_;
  std::shared_ptr<Job> job_;
  attack::Task task_;
  std::size_t table_ = 0;
  std::shared_ptr<OwnBeliefs> before_;  // of the table at hand, copied once for all epochs that share it
  SharedBeliefs after_;
};

class OwnAttack final : public attack::Attack {
 public:
  OwnAttack(Held object, std::string name, bool binary, std::shared_ptr<Job> job)
      : object_(std::move(object)), name_(std::move(name)), binary_(binary), job_(std::move(job)) {}

  std::unique_ptr<attack::Inference> infer(const attack::Task& task) const override {
    return std::make_unique<OwnInference>(object_, name_, binary_, job_, task);
  }

 private:
  Held object_;
  std::string name_;
  bool binary_;
  std::shared_ptr<Job> job_;
};

}  // namespace

attack::AttackEntry own_attack(nb::handle given, const std::shared_ptr<Job>& job) {
  attack::AttackEntry entry;
  entry.info = own_info(given, 1000);
  const auto output = nb::cast<std::string>(nb::getattr(given, "output", nb::str("distribution")));
  if (output != "distribution" && output != "assignment") {
    throw ConfigError(entry.info.name + ".output", output, "must be \"distribution\" or \"assignment\"");
  }
  const bool binary = output == "assignment";
  entry.output = binary ? attack::Output::kAssignment : attack::Output::kDistribution;
  entry.whole_crowd = true;
  entry.make = [held = Held(instance_of(given)), name = entry.info.name, binary,
                job](const Parameters&) -> std::unique_ptr<attack::Attack> {
    return std::make_unique<OwnAttack>(held, name, binary, job);
  };
  return entry;
}

}  // namespace hearsay::python
