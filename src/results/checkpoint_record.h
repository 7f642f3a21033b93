// SPDX-License-Identifier: Apache-2.0
//
// Measurements in a file of records, each with its checksum: what a Checkpoint keeps of one part.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "goal/measurement.h"

namespace hearsay::results {

class RecordWriter {
 public:
  // Throws std::system_error where the disk does not take it; so do the others.
  RecordWriter(const std::string& path, const std::string& key);
  void add(const goal::Measurement& measurement);
  // Without it the file does not count as whole.
  void finish();

 private:
  void write(const std::string& payload);

  std::string path_;
  std::ofstream out_;
};

class RecordReader {
 public:
  RecordReader(const std::string& path, const std::string& key);
  // The next measurement; false at the end and where the file is damaged, cut off, or another key's.
  bool next();
  // After next() returned false: whether that was the end.
  bool ended_well() const { return ended_well_; }
  // Valid until the next call.
  goal::Measurement measurement() const;

 private:
  bool read(std::string& payload);

  std::ifstream in_;
  bool ended_well_ = false;
  goal::Measurement measurement_;             // without numbers, but with their names
  std::vector<std::vector<double>> numbers_;  // values and sorted values, by name
};

}  // namespace hearsay::results
