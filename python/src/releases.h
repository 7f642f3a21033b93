// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "arrays.h"
#include "data.h"
#include "release/published.h"

namespace hearsay::python {

// Counts as published, before what is not above 0 is dropped.
class OwnRelease {
 public:
  explicit OwnRelease(release::CountMatrix counts)
      : counts_(std::move(counts)), release_(std::make_shared<release::Published>(counts_.to_release())) {}

  const release::CountMatrix& counts() const { return counts_; }
  const std::shared_ptr<const release::Published>& release() const { return release_; }
  Matrix array() const;  // epochs x ROIs

 private:
  release::CountMatrix counts_;
  std::shared_ptr<const release::Published> release_;
};

OwnRelease raw_release(const Data& data);

// From epochs x ROIs, null last.
release::CountMatrix counts_from(const InputMatrix& matrix);
Matrix array_of(const release::CountMatrix& counts);

// A release, or counts that become one: epochs x ROIs for this data. Throws InputError for any other shape.
OwnRelease release_from(nanobind::handle given, const Data& data);

}  // namespace hearsay::python
