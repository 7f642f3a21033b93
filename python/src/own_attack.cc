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

// A table of the prior as Python sees it, copied once for all epochs that share it.
struct OwnPreparation final : attack::Preparation {
  explicit OwnPreparation(std::shared_ptr<OwnBeliefs> beliefs) : prior(std::move(beliefs)) {}
  std::shared_ptr<OwnBeliefs> prior;
};

class OwnAttack final : public attack::Attack {
 public:
  OwnAttack(Held object, std::string name, bool binary, std::shared_ptr<Job> job)
      : object_(std::move(object)), name_(std::move(name)), binary_(binary), job_(std::move(job)) {}

  std::unique_ptr<attack::Preparation> prepare(const prior::Beliefs& prior,
                                               const dataset::Crowd& crowd) const override {
    return std::make_unique<OwnPreparation>(std::make_shared<OwnBeliefs>(prior, crowd));
  }

  // After an error the run is stopped, and what is returned meanwhile is thrown away.
  prior::Beliefs infer(const prior::Beliefs& prior, const attack::Preparation* preparation,
                       const release::EpochCounts& counts, const dataset::Crowd& crowd,
                       attack::Workspace& workspace) const override {
    if (job_->failed()) return prior;
    try {
      const nb::gil_scoped_acquire locked;
      const auto& prepared = static_cast<const OwnPreparation&>(*preparation);
      const nb::object before = nb::cast(prepared.prior);
      const nb::object seen = owned_array(std::vector<double>(counts.dense.begin(), counts.dense.end())).cast();
      const nb::object given = object_.get().attr("infer")(before, seen);
      const SharedBeliefs after = beliefs_from(given, binary_, crowd, name_ + ".infer");
      if (after->view().binary != binary_) {
        throw InputError({name_ + ".infer", 0, ""},
                         binary_ ? "gave a distribution, though its output is \"assignment\""
                                 : "gave an assignment; set output = \"assignment\" on the class");
      }
      return keep(*after, workspace);
    } catch (...) {
      job_->fail();
    }
    return prior;
  }

 private:
  // Moves into the workspace what is to outlive the call.
  static prior::Beliefs keep(const OwnBeliefs& beliefs, attack::Workspace& workspace) {
    prior::Beliefs view = beliefs.view();
    const auto copy = [](auto& into, auto& span) {
      into.assign(span.begin(), span.end());
      span = into;
    };
    copy(workspace.table.users, view.users);
    copy(workspace.table.begins, view.begins);
    copy(workspace.table.rois, view.rois);
    copy(workspace.table.weights, view.weights);
    copy(workspace.table.totals, view.totals);
    copy(workspace.limits, view.limits);
    copy(workspace.sorted_limits, view.sorted_limits);
    if (view.background != nullptr) {
      workspace.background_weights.assign(view.background->weights.begin(), view.background->weights.end());
      workspace.background = {workspace.background_weights, view.background->total};
      view.background = &workspace.background;
    }
    return view;
  }

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
  entry.make = [held = Held(instance_of(given)), name = entry.info.name, binary,
                job]() -> std::unique_ptr<attack::Attack> {
    return std::make_unique<OwnAttack>(held, name, binary, job);
  };
  return entry;
}

}  // namespace hearsay::python
