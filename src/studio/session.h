// SPDX-License-Identifier: Apache-2.0
//
// A study that is asked again and again on data read once. Knows nothing of how it is asked. What it tells of work are
// objects with "event":
//
//   progress  stage, done, all (0: not known)
//   report    report (docs/report-schema.md), toml (the study), command (null without a release), command_notes,
//             unsafe (why it has no sound guarantee), seconds
//   advice    advice (docs/advice.md)
//   error     message, and key: the setting to mend, or null
//
// A request for advice is {"settings": as for a report, "limits": {"own_loss", "membership", "mae"}, "seconds"}.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/engine.h"
#include "experiment/study.h"
#include "release/draft.h"
#include "results/data_facts.h"
#include "results/manifest.h"

namespace hearsay::studio {

// Told what there is to say while work goes on.
using Tell = std::function<void(const results::Json& event)>;

enum class Wish { kReport, kAdvice };

class Session {
 public:
  // `base`: the study that the engine's data was read for, its file called `file` in commands. The engine outlives it.
  Session(engine::Engine& engine, experiment::Study base, std::string file, engine::LoadOptions options);

  // What the page can choose from, and what it starts with.
  results::Json about() const;

  // Work that a page asks for in JSON. Told of: progress, then the report (or advice), or an error that says what to
  // mend. Nothing after a request to stop. One at a time.
  void run(Wish wish, const std::string& body, const Tell& tell, const std::stop_token& stop);

 private:
  results::Json report(const results::Json& settings, const engine::LoadOptions& options);
  results::Json advice(const results::Json& request, const engine::LoadOptions& options);
  bool mostly_noise(const experiment::Study& study);

  engine::Engine& engine_;
  experiment::Study base_;
  std::string file_;
  engine::LoadOptions options_;
  results::Known known_;
  std::optional<release::Draft> raw_;  // made when first asked for
};

}  // namespace hearsay::studio
