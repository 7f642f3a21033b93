// SPDX-License-Identifier: Apache-2.0
//
// The studio's door: HTTP on this machine alone, for whoever has the link.
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
