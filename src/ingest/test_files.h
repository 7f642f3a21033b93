// SPDX-License-Identifier: Apache-2.0
//
// For tests: files in a folder of their own, and short ways to read them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <tuple>

#include "base/errors.h"
#include "ingest/database.h"
#include "ingest/ingest.h"

namespace hearsay::ingest {

class FilesTest : public testing::Test {
 protected:
  FilesTest() {
    std::string name = (std::filesystem::temp_directory_path() / "hearsay-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    folder_ = name;
  }
  ~FilesTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }

  // What the query gives, as a file of the format and compression that the name's ending says.
  std::string copy(const std::string& query, const std::string& name) const {
    Database database({});
    database.execute("COPY (" + query + ") TO $1", {path(name)});
    return path(name);
  }

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

  std::filesystem::path folder_;
};

}  // namespace hearsay::ingest
