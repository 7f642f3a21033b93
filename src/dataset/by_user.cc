// SPDX-License-Identifier: Apache-2.0
#include "dataset/by_user.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/parallel.h"
#include "base/radix_sort.h"

namespace hearsay::dataset {
namespace {

struct Buffers {
  std::vector<std::size_t> next;  // by epoch: the first row not yet taken
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> scratch;
  std::vector<OwnVisit> visits;
};

}  // namespace

void walk_by_user(const VisitStore& store, std::size_t users, std::size_t rois, std::size_t threads,
                  const std::function<void(std::size_t user, std::span<const OwnVisit> visits)>& visit,
                  const BlockSizes& blocks) {
  // A key is user, ROI and epoch side by side in 64 bits.
  const auto epoch_bits = static_cast<unsigned>(std::bit_width(store.epochs()));
  const auto roi_bits = static_cast<unsigned>(std::bit_width(rois));
  const std::size_t block = std::min(blocks.sorted_users, std::size_t{1} << (64 - epoch_bits - roi_bits));
  const std::size_t stretch = block * blocks.sorted_blocks;
  std::vector<Buffers> buffers(threads);
  parallel_for((users + stretch - 1) / stretch, threads, [&](std::size_t s, std::size_t worker) {
    Buffers& own = buffers[worker];
    own.next.resize(store.epochs());
    for (std::size_t e = 0; e < store.epochs(); ++e) {
      const auto listed = store.at(static_cast<EpochId>(e)).users;
      const auto first = static_cast<UserId>(s * stretch);
      own.next[e] = static_cast<std::size_t>(std::lower_bound(listed.begin(), listed.end(), first) - listed.begin());
    }
    for (std::size_t begin = s * stretch; begin < std::min(users, (s + 1) * stretch); begin += block) {
      own.keys.clear();
      for (std::size_t e = 0; e < store.epochs(); ++e) {
        const EpochVisits epoch = store.at(static_cast<EpochId>(e));
        std::size_t& row = own.next[e];
        for (; row < epoch.users.size() && index_of(epoch.users[row]) < begin + block; ++row) {
          const std::uint64_t user = (index_of(epoch.users[row]) - begin) << roi_bits;
          for (const RoiId roi : epoch.rois_of(row)) own.keys.push_back((user | index_of(roi)) << epoch_bits | e);
        }
      }
      radix_sort(own.keys, own.scratch);
      for (std::size_t i = 0; i < own.keys.size();) {
        const std::uint64_t user = own.keys[i] >> (epoch_bits + roi_bits);
        own.visits.clear();
        for (; i < own.keys.size() && own.keys[i] >> (epoch_bits + roi_bits) == user; ++i) {
          own.visits.push_back(
              {static_cast<std::uint32_t>(own.keys[i] >> epoch_bits & ((std::uint64_t{1} << roi_bits) - 1)),
               static_cast<std::uint32_t>(own.keys[i] & ((std::uint64_t{1} << epoch_bits) - 1))});
        }
        visit(begin + user, own.visits);
      }
    }
  });
}

}  // namespace hearsay::dataset
