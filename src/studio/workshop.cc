// SPDX-License-Identifier: Apache-2.0
#include "studio/workshop.h"

namespace hearsay::studio {
namespace {

constexpr std::size_t kMostWaiting = 16;

}  // namespace

void Workshop::stop() {
  // First, so that what is begun from here on is stopped by the thread itself.
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  if (at_work_) at_work_->stop.request_stop();
}

bool Workshop::add(const std::shared_ptr<Order>& order) {
  const std::lock_guard lock(mutex_);
  // Those whom nobody waits for any more hold no place.
  std::erase_if(waiting_, [](const auto& one) { return one->stop.stop_requested(); });
  if (waiting_.size() >= kMostWaiting || thread_.get_stop_token().stop_requested()) return false;
  waiting_.push_back(order);
  changed_.notify_one();
  return true;
}

void Workshop::serve(const std::stop_token& stop) {
  for (;;) {
    std::shared_ptr<Order> order;
    {
      std::unique_lock lock(mutex_);
      at_work_.reset();
      if (!changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) return;
      order = std::move(waiting_.front());
      waiting_.pop_front();
      at_work_ = order;
    }
    if (stop.stop_requested()) order->stop.request_stop();
    try {
      if (!order->stop.stop_requested()) order->work(*order->outbox, order->stop.get_token());
    } catch (...) {  // such as no memory to say so: whoever waits sees an answer without its end
    }
    order->outbox->close();
  }
}

}  // namespace hearsay::studio
