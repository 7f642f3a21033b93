// SPDX-License-Identifier: Apache-2.0
//
// For tests: short ways to read files.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "base/errors.h"
#include "ingest/ingest.h"
#include "storage/test_files.h"

namespace hearsay::ingest {

class FilesTest : public storage::FilesTest {
 protected:
  // Two users, two days of March 2010 in a unit grid of 2 x 2; what a test does not say.
  static Source events(const std::string& file) {
    Source source;
    source.paths = {file};
    source.timezone = "Europe/London";
    return source;
  }
  static Source trips(const std::string& file) {
    Source source = events(file);
    source.format = Format::kTrips;
    return source;
  }
  static Grid grid() { return {0, 2, 0, 2, 2, 2}; }
  static Period march() { return {"2010-03-01 00:00:00", 3600, 48}; }

  static Visits read(const Source& source, const RoiRule& rois = grid(), const Period& period = march()) {
    return read_visits(source, rois, period, {2, 0, "", {}});
  }

  // The message of the error that reading throws.
  template <typename Error>
  static std::string error_of(const Source& source, const RoiRule& rois = grid(), const Period& period = march()) {
    try {
      read(source, rois, period);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  using Triples = std::vector<std::tuple<std::string, std::string, std::uint32_t>>;

  // (user, ROI, epoch) in the order of the visits.
  static Triples triples(const Visits& visits) {
    Triples list;
    for (const Visit& visit : visits.visits.all()) {
      list.emplace_back(visits.users.at(visit.user), visits.rois.at(visit.roi).id, visit.epoch);
    }
    return list;
  }

  static std::vector<std::uint32_t> epochs(const Visits& visits) {
    std::vector<std::uint32_t> list;
    for (const Visit& visit : visits.visits.all()) list.push_back(visit.epoch);
    return list;
  }
};

}  // namespace hearsay::ingest
