// SPDX-License-Identifier: Apache-2.0
#include "support.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hearsay::fuzz::read_events(hearsay::fuzz::text_of(data, size), "events.jsonl", hearsay::ingest::Format::kEvents);
  return 0;
}
