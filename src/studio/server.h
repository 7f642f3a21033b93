// SPDX-License-Identifier: Apache-2.0
//
// The studio's door: HTTP on this machine alone, for whoever has the link. Page and server are of one version; what
// they say to each other is for nobody else, and may change.
//
//   GET /             the page, which holds nothing of the data
//   GET /api/studio   what there is to choose from: Session::about()
//   GET /api/alive    {"event": "alive"} every 2 s, for as long as the page is open
//   POST /api/run     settings (settings.h); what Session::run() tells
//   POST /api/advise  a request for advice (session.h); what Session::run() tells
//
// All but the page want `Authorization: Bearer TOKEN`, with the token of the link. The last three are answered in
// lines, a JSON object each; who hangs up, or says anything more before the end, gives the work up. What is refused has
// another status than 200 and {"error": SENTENCE}.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "studio/session.h"

namespace hearsay::studio {

struct ServerOptions {
  std::uint16_t port = 0;  // 0: any that is free
  bool framed = false;     // whether pages of this machine, such as a notebook, may show it in a frame
  // How long the last page may be gone before the server ends: a page that is loaded anew is gone for a moment.
  std::chrono::milliseconds grace = std::chrono::seconds(5);
  // How long somebody may take to ask.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
};

// Listens from its construction on; throws ConfigError where the port is taken. Answers nobody who does not have the
// token, nor a page of another site. Memory does not grow with what is sent, or how often.
class Server {
 public:
  // The session outlives it.
  Server(Session& session, const ServerOptions& options);
  ~Server();

  // With the token.
  std::string link() const;
  // Answers until the last page is closed, or a request to stop.
  void run(const std::stop_token& stop);

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace hearsay::studio
