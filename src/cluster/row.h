// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearsay::cluster {

// How what several shares say of one thing is put together.
enum class Merge : std::uint8_t {
  kAdd,      // lists of whole numbers, added up
  kSparse,   // whole numbers by position, added up
  kValues,   // how many have which value, added up
  kAnswers,  // what steps of defences ask of visits
  kJoin,     // bytes, one after another
  kScores,   // sums of errors, added up
  kPlan,     // summaries of an attack, put together and planned of where that goes by place
  kTally,    // tallies of people, put together to figures
};

// What a row is about; each merge is of the rows with one key.
enum class Subject : std::uint8_t {
  kFacts,      // of everybody
  kReports,    // of one share: how many people have how many visits
  kObserved,   // of one share: how many people have how many visits observed
  kCounts,     // by epoch of the study
  kVisitors,   // different people by place
  kValues,     // by grouping of people
  kPrepared,   // by defence, repeat and epoch
  kAnswers,    // by defence and repeat
  kCoarse,     // by defence and epoch
  kTakenOut,   // people who are taken out one by one
  kEverybody,  // all people, where a goal asks for them
  kWanted,     // people whom a prior learns from
  kLearned,    // by prior
  kExpected,   // by prior and table
  kSummary,    // by prior, attack, table and range of places
  kErrors,     // by prior and number of the result: by epoch and place
  kPeople,     // the same: by user
  kNames,      // ids of people
};

struct Key {
  Merge merge{};
  Subject subject{};
  std::array<std::uint32_t, 5> of = {};

  // Bytes that sort as keys do.
  std::string bytes() const;
  static Key read(std::string_view bytes);
  auto operator<=>(const Key&) const = default;
};

struct Row {
  std::string key;
  std::string value;
};

}  // namespace hearsay::cluster
