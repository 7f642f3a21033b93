// SPDX-License-Identifier: Apache-2.0
//
// For tests: files in a folder of their own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "storage/database.h"

namespace hearsay::storage {

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

  std::filesystem::path folder_;
};

}  // namespace hearsay::storage
