// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::studio {

// The report's page, told that it is the studio's: it may ask its own server, and no other.
class Page {
 public:
  // `framed`: pages of this machine may show it in a frame.
  explicit Page(bool framed);

  const std::string& html() const { return html_; }
  // Its content policy, for the header of every answer.
  const std::string& policy() const { return policy_; }

 private:
  std::string html_;
  std::string policy_;
};

}  // namespace hearsay::studio
