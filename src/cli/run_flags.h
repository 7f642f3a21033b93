// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/progress_display.h"
#include "engine/loading.h"

namespace hearsay::cli {

// The flags of every command that reads data.
struct RunFlags {
  std::size_t threads = 0;  // 0: as many as the machine has
  std::uint64_t memory_bytes = 0;
  bool quiet = false;
};

void add_run_flags(CLI::App& command, RunFlags& flags);

// What the flags say, with progress shown on `display`.
engine::LoadOptions load_options(const RunFlags& flags, ProgressDisplay& display);

// A study's file, with what is old about its spelling said aloud.
experiment::Study open_study(const std::string& file, const std::vector<std::string>& overrides);

void print_warnings(const std::vector<std::string>& warnings);

inline constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 unexpected failure (a bug, a full disk), 2 bad input or setting, 130 interrupted.";

}  // namespace hearsay::cli
