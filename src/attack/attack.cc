// SPDX-License-Identifier: Apache-2.0
#include "attack/attack.h"

#include <limits>

#include "base/errors.h"

namespace hearsay::attack {
namespace {

class EpochInference final : public Inference {
 public:
  EpochInference(const EpochAttack& attack, const Task& task)
      : attack_(attack), task_(task), epochs_(task.prior.tables()) {
    for (std::size_t e = 0; e < task.published.fine().epochs(); ++e)
      ++epochs_[task.prior.table_of(static_cast<EpochId>(e))];
  }

  belief::Beliefs at(EpochId epoch) override {
    const std::size_t table = task_.prior.table_of(epoch);
    if (table != table_) {
      prior_ = attack_.seen(belief::of_range(task_.prior.table(table), task_.users));
      table_ = table;
      const Workspace::Entered here{&attack_, &task_.prior, table, task_.users.begin};
      if (task_.workspace.entered != here) {
        attack_.enter_table(prior_, task_.users, epochs_[table], task_.crowd, task_.workspace);
        task_.workspace.entered = here;
      }
    }
    const Plan* plan = task_.plans.empty() ? nullptr : task_.plans[index_of(epoch)].get();
    return attack_.infer_epoch(prior_, task_.users, task_.published.fine().at(epoch, task_.workspace.dense), plan,
                               task_.crowd, task_.workspace);
  }

 private:
  const EpochAttack& attack_;
  Task task_;
  std::vector<std::size_t> epochs_;  // by table
  std::size_t table_ = std::numeric_limits<std::size_t>::max();
  belief::Beliefs prior_;
};

[[noreturn]] void refuse() {
  throw ConfigError("study.attacks", "", "an attack that summarises people in its own way runs on one machine only");
}

}  // namespace

std::unique_ptr<Summary> added(std::vector<std::unique_ptr<Summary>> summaries) {
  for (std::size_t step = 1; step < summaries.size(); step *= 2) {
    for (std::size_t i = 0; i + step < summaries.size() && summaries[i]; i += 2 * step) {
      summaries[i]->add(std::move(summaries[i + step]));
    }
  }
  return summaries.empty() ? nullptr : std::move(summaries.front());
}

void Summary::write(PlaceRange, BytesWriter&) const {
  refuse();
}

void Summary::write_person(PersonKey, PlaceRange, BytesWriter&) const {
  refuse();
}

void Plan::write(BytesWriter&) const {
  refuse();
}

std::unique_ptr<Summary> Attack::read_summary(BytesReader&) const {
  refuse();
}

std::unique_ptr<Summary> Attack::read_person(PersonKey, std::span<const std::string_view>) const {
  refuse();
}

std::unique_ptr<Plan> Attack::read_plan(std::span<const std::string_view>, const dataset::Crowd&) const {
  refuse();
}

std::unique_ptr<Inference> EpochAttack::infer(const Task& task) const {
  return std::make_unique<EpochInference>(*this, task);
}

}  // namespace hearsay::attack
