// SPDX-License-Identifier: Apache-2.0
//
// What every target needs: a private folder for its input as a file, and the promises checked on whatever comes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "ingest/ingest.h"

// Called by libFuzzer, and by replay.cc where there is none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace hearsay::fuzz {

// The input as text.
std::string text_of(const std::uint8_t* data, std::size_t size);

// A folder of this process for input files, removed at its end.
const std::string& folder();
void write_file(const std::string& path, const std::string& bytes);

// Runs `work`. An InputError or ConfigError is an answer, if its text is one short line without controls. Any other
// exception aborts: a finding.
void expect_answer(const std::function<void()>& work);

// Aborts unless the visits are what read_visits promises: in range, sorted, distinct, and every row accounted for.
void expect_sound(const ingest::Visits& visits, const ingest::Source& source, const ingest::Period& period);

// Reads the bytes as a file of this name, once by id and once by grid where the format has both, and checks the result.
void read_events(const std::string& bytes, const std::string& name, ingest::Format format);

}  // namespace hearsay::fuzz
