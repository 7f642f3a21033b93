// SPDX-License-Identifier: Apache-2.0
//
// Some of the people, worked on in one process, and what each pass over them hands over.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/row.h"
#include "cluster/told.h"
#include "dataset/dataset.h"

namespace hearsay::cluster {

// The people of one share as they come: ids in byte order, and of each its distinct visits in the study period, 8 bytes
// each: epoch << 32 | place, ascending. What it views outlives it.
struct ShareRows {
  std::uint32_t number = 0;  // of the share
  std::vector<std::string_view> ids;
  std::vector<std::string_view> visits;
};

// A person who is sent somewhere else, and what makes a data set of such people.
struct Person {
  std::uint32_t number = 0;
  std::uint32_t rank = 0;
  std::string id;
  std::string visits;  // as in ShareRows
};
void write_person(const Person& person, BytesWriter& bytes);
Person read_person(BytesReader& bytes);
// Sorted by number, without repeats.
dataset::Dataset dataset_of(const Told& told, const experiment::Study& study, std::vector<Person> people);

// What the share has to say at the stage told. Nothing is kept for the next one: a share that is lost is worked on
// again somewhere else, with the same result. `threads` do not change it.
std::vector<Row> run_stage(const Told& told, const ShareRows& rows, std::size_t threads);

}  // namespace hearsay::cluster
