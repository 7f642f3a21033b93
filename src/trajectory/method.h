// SPDX-License-Identifier: Apache-2.0
//
// Whole paths from the counts alone. One *_method.cc file a way to find them. Whoever looks for them knows nothing of
// anybody: she sees how many people were where and when, and where places are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/entry.h"
#include "trajectory/places.h"
#include "trajectory/whole_people.h"

namespace hearsay::trajectory {

// All that she sees.
struct Scene {
  std::size_t people = 0;
  Places places;
  std::vector<std::vector<Crowd>> epochs;  // each of all people, by ascending place
  std::uint32_t epoch_seconds = 3600;
  std::uint32_t first_second = 0;  // of the day, at which the first epoch starts

  std::uint32_t second_of_day(std::size_t epoch) const;
  bool starts_day(std::size_t epoch) const { return second_of_day(epoch) < epoch_seconds; }
};

// Where each of the people recovered was, one place an epoch. In every epoch as many are at a place as in the scene.
class Paths {
 public:
  Paths(std::size_t people, std::size_t epochs) : people_(people), places_(people * epochs) {}
  std::size_t people() const { return people_; }
  std::size_t epochs() const { return people_ == 0 ? 0 : places_.size() / people_; }
  // By person.
  std::span<std::uint32_t> at(std::size_t epoch) { return std::span(places_).subspan(epoch * people_, people_); }
  std::span<const std::uint32_t> at(std::size_t epoch) const {
    return std::span(places_).subspan(epoch * people_, people_);
  }
  bool operator==(const Paths&) const = default;

 private:
  std::size_t people_;
  std::vector<std::uint32_t> places_;
};

class Method {
 public:
  virtual ~Method() = default;
  // `check` is called now and then, and may throw.
  virtual Paths recover(const Scene& scene, const std::function<void()>& check) const = 0;
};

struct MethodEntry {
  EntryInfo info;
  // Throws ConfigError for parameters out of range.
  std::function<std::unique_ptr<Method>(const Parameters& parameters)> make;
  std::unique_ptr<Method> create() const { return make(info.values()); }
};

// Every method, the strongest first. Generated from the files in this folder.
const std::vector<const MethodEntry*>& all_methods();

}  // namespace hearsay::trajectory
