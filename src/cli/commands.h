// SPDX-License-Identifier: Apache-2.0
//
// One file a command: each adds itself to the program, and its callback does the work. Errors are thrown.
#pragma once

#include <CLI/CLI.hpp>

namespace hearsay::cli {

// Thrown by a command that has said all there is to say, and ends with another code than 0.
struct Exit {
  int code;
};

void add_advise_command(CLI::App& app);
void add_init_command(CLI::App& app);
void add_study_command(CLI::App& app);
void add_describe_command(CLI::App& app);
void add_list_command(CLI::App& app);
void add_explain_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_release_command(CLI::App& app);
void add_ledger_command(CLI::App& app);
void add_generate_command(CLI::App& app);
void add_serve_command(CLI::App& app);
void add_demo_command(CLI::App& app);
void add_completion_command(CLI::App& app);
void add_manual_command(CLI::App& app);

}  // namespace hearsay::cli
