// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cluster/told.h"
#include "dataset/dataset.h"
#include "goal/ground.h"

namespace hearsay::cluster {

// Some people as goals see them, with what was told of everybody. All that is given outlives it.
class ShareGround {
 public:
  // `plans_without`: given where these are the people to be taken out one by one; by prior, plans for one of them.
  using PlansWithout =
      std::function<goal::Plans(std::uint32_t prior, const goal::PlanId& id, const release::Published& release)>;
  ShareGround(const Told& told, const experiment::Study& study, const dataset::Dataset& people, std::size_t threads,
              PlansWithout plans_without = {});
  ShareGround(const ShareGround&) = delete;
  ShareGround& operator=(const ShareGround&) = delete;

  const goal::Ground& ground() const { return ground_; }
  // By number among those of the study.
  std::shared_ptr<const belief::Series> prior(std::uint32_t number) const;
  // None where the prior does not learn of everybody.
  std::unique_ptr<prior::CrowdLearning> learning(std::uint32_t number) const;
  std::unique_ptr<prior::UnfinishedSeries> predict(std::uint32_t number) const;

 private:
  std::uint32_t number_of(const prior::PriorEntry& entry) const;
  prior::Knowledge knowledge() const;

  const Told& told_;
  const experiment::Study& study_;
  const dataset::Dataset& people_;
  std::size_t threads_;
  goal::Whole whole_;
  goal::Ground ground_;
  PlansWithout plans_without_;
  std::vector<std::unique_ptr<attack::Attack>> attacks_;
};

// Whether a person, by number among everybody, is one of those taken out one by one: a sample or, where there are few
// cells, everybody.
bool is_taken_out(const Told& told, const experiment::Study& study, std::uint32_t number);

}  // namespace hearsay::cluster
