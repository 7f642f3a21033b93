// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "studio/outbox.h"

namespace hearsay::studio {

// A piece of work that somebody waits for, and where its lines go.
struct Order {
  std::function<void(Outbox& outbox, const std::stop_token& stop)> work;
  std::shared_ptr<Outbox> outbox;
  std::stop_source stop = {};  // a request drops it, or ends it soon
};

// Does one order at a time in a thread of its own; the others wait in line.
class Workshop {
 public:
  Workshop() : thread_([this](const std::stop_token& stop) { serve(stop); }) {}
  // Waits for the order at hand.
  ~Workshop() { stop(); }

  // False, and it is not done, where too many wait already, or after stop().
  bool add(const std::shared_ptr<Order>& order);
  // Stops the order at hand soon and drops those that wait. Does not wait for it; their outboxes are closed.
  void stop();

 private:
  void serve(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Order>> waiting_;
  std::shared_ptr<Order> at_work_;
  std::jthread thread_;
};

}  // namespace hearsay::studio
