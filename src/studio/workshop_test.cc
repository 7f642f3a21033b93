// SPDX-License-Identifier: Apache-2.0
#include "studio/workshop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace hearsay::studio {
namespace {

using Work = std::function<void(Outbox& outbox, const std::stop_token& stop)>;

std::shared_ptr<Order> order_of(Work work) {
  auto order = std::make_shared<Order>();
  order->work = std::move(work);
  order->outbox = std::make_shared<Outbox>([] {});
  return order;
}

// All that it puts, until it is closed.
std::vector<std::string> lines_of(const std::shared_ptr<Order>& order) {
  std::vector<std::string> all;
  while (const std::optional<std::vector<std::string>> lines = order->outbox->take()) {
    all.insert(all.end(), lines->begin(), lines->end());
    std::this_thread::yield();
  }
  return all;
}

// Is at work until it is stopped, and says so.
struct Long {
  std::atomic<bool> begun = false;
  std::shared_ptr<Order> order = order_of([this](Outbox& outbox, const std::stop_token& stop) {
    begun = true;
    begun.notify_all();
    while (!stop.stop_requested()) std::this_thread::yield();
    outbox.put("stopped");
  });
};

using Lines = std::vector<std::string>;

TEST(StudioWorkshopTest, WorksInTurn) {
  Workshop workshop;
  std::atomic<int> at_work = 0;
  std::vector<std::shared_ptr<Order>> orders;
  for (int i = 0; i < 10; ++i) {
    orders.push_back(order_of([&at_work, i](Outbox& outbox, const std::stop_token&) {
      EXPECT_EQ(++at_work, 1);
      outbox.put(std::to_string(i));
      --at_work;
    }));
    EXPECT_TRUE(workshop.add(orders.back()));
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(lines_of(orders[static_cast<std::size_t>(i)]), Lines{std::to_string(i)});
}

TEST(StudioWorkshopTest, RefusesWhereTooManyWait) {
  Workshop workshop;
  Long first;
  ASSERT_TRUE(workshop.add(first.order));
  first.begun.wait(false);
  std::vector<std::shared_ptr<Order>> waiting;
  for (int i = 0; i < 16; ++i) {
    waiting.push_back(order_of([](Outbox& outbox, const std::stop_token&) { outbox.put("done"); }));
    EXPECT_TRUE(workshop.add(waiting.back()));
  }
  const auto late = order_of([](Outbox& outbox, const std::stop_token&) { outbox.put("done"); });
  EXPECT_FALSE(workshop.add(late));
  waiting[3]->stop.request_stop();  // nobody waits for it any more
  EXPECT_TRUE(workshop.add(late));
  first.order->stop.request_stop();
  EXPECT_EQ(lines_of(first.order), Lines{"stopped"});
  EXPECT_EQ(lines_of(waiting[15]), Lines{"done"});
  EXPECT_EQ(lines_of(late), Lines{"done"});
}

TEST(StudioWorkshopTest, StopsWhatIsAtWorkAndWhatWaits) {
  Workshop workshop;
  Long first;
  ASSERT_TRUE(workshop.add(first.order));
  const auto second = order_of([](Outbox& outbox, const std::stop_token&) { outbox.put("done"); });
  ASSERT_TRUE(workshop.add(second));
  first.begun.wait(false);
  workshop.stop();
  EXPECT_EQ(lines_of(first.order), Lines{"stopped"});
  EXPECT_EQ(lines_of(second), Lines());
  EXPECT_FALSE(workshop.add(order_of([](Outbox&, const std::stop_token&) {})));
}

// Whatever the moment, none is worked on to its end: it would not end.
TEST(StudioWorkshopTest, StopsAtItsEnd) {
  for (int i = 0; i < 200; ++i) {
    std::vector<std::shared_ptr<Order>> orders;
    {
      Workshop workshop;
      for (int k = 0; k < 3; ++k) {
        orders.push_back(order_of([](Outbox&, const std::stop_token& stop) {
          while (!stop.stop_requested()) std::this_thread::yield();
        }));
        ASSERT_TRUE(workshop.add(orders.back()));
      }
      orders[static_cast<std::size_t>(i % 3)]->stop.request_stop();
    }
    for (const auto& order : orders) EXPECT_FALSE(order->outbox->take());
  }
}

TEST(StudioWorkshopTest, OutlastsWorkThatThrows) {
  Workshop workshop;
  const auto bad = order_of([](Outbox& outbox, const std::stop_token&) {
    outbox.put("begun");
    throw std::runtime_error("no");
  });
  const auto good = order_of([](Outbox& outbox, const std::stop_token&) { outbox.put("done"); });
  ASSERT_TRUE(workshop.add(bad));
  ASSERT_TRUE(workshop.add(good));
  EXPECT_EQ(lines_of(bad), Lines{"begun"});
  EXPECT_EQ(lines_of(good), Lines{"done"});
}

}  // namespace
}  // namespace hearsay::studio
