// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "attack/attack.h"
#include "beliefs.h"
#include "data.h"
#include "goal/ranges.h"
#include "prior/prior.h"

namespace hearsay::python {

// Beliefs for every epoch of the inference period, made when asked for.
class BeliefSeries {
 public:
  virtual ~BeliefSeries() = default;
  std::size_t epochs() const { return data_->dataset().truth().epochs(); }
  const std::shared_ptr<const Data>& data() const { return data_; }
  const dataset::Crowd& crowd() const { return data_->dataset().crowd(); }
  const std::string& name() const { return name_; }
  virtual bool binary() const = 0;
  virtual SharedBeliefs at(std::size_t epoch) const = 0;

 protected:
  BeliefSeries(std::shared_ptr<const Data> data, std::string name) : data_(std::move(data)), name_(std::move(name)) {}

 private:
  std::shared_ptr<const Data> data_;
  std::string name_;
};

// What the adversary knew before.
class PriorSeries final : public BeliefSeries {
 public:
  // Throws ConfigError where the data's calendar does not allow the prior.
  PriorSeries(std::shared_ptr<const Data> data, const prior::PriorEntry& entry);
  bool binary() const override { return entry_.binary; }
  SharedBeliefs at(std::size_t epoch) const override;
  bool rates() const { return entry_.rates; }
  const belief::Series& prior() const { return *prior_; }

 private:
  const prior::PriorEntry& entry_;
  std::unique_ptr<belief::Series> prior_;
};

// What she makes of it with a release.
class Inference final : public BeliefSeries {
 public:
  Inference(std::shared_ptr<const PriorSeries> prior, std::shared_ptr<const release::Published> release,
            attack::AttackEntry entry);
  bool binary() const override;
  SharedBeliefs at(std::size_t epoch) const override;

 private:
  attack::AttackEntry entry_;
  std::shared_ptr<const PriorSeries> prior_;
  std::shared_ptr<const release::Published> release_;
  std::unique_ptr<attack::Attack> attack_;
  goal::Plans plans_;
  mutable std::mutex mutex_;  // guards what at() keeps from call to call
  mutable attack::Workspace workspace_;
  mutable std::unique_ptr<attack::Inference> inference_;  // about everybody
};

}  // namespace hearsay::python
