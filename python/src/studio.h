// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "data.h"
#include "studio/server.h"

namespace hearsay::python {

// A studio's server, in a thread of its own. Needs the interpreter for nothing.
class Studio {
 public:
  Studio(std::shared_ptr<Data> data, std::size_t threads, std::uint16_t port);
  ~Studio() { close(); }

  std::string link() const { return server_.link(); }
  bool open() const { return thread_.joinable(); }
  void close();

 private:
  std::shared_ptr<Data> data_;
  studio::Session session_;
  studio::Server server_;
  std::jthread thread_;
};

std::unique_ptr<Studio> open_studio(std::shared_ptr<Data> data, std::size_t threads, std::uint16_t port);

}  // namespace hearsay::python
