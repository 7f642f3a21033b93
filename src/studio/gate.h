// SPDX-License-Identifier: Apache-2.0
//
// Who is let in. A page of another site may send requests to this machine, also by a name of its own that it points
// here; so the name asked for, the page that asks and the token in the link all have to be right.
#pragma once

#include <boost/beast/http/message.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace hearsay::studio {

struct Refusal {
  boost::beast::http::status status;
  std::string sentence;
};

class Gate {
 public:
  // With a token from the system's secure source.
  explicit Gate(std::uint16_t port);

  const std::string& token() const { return token_; }
  // "http://127.0.0.1:PORT"
  const std::string& origin() const { return origin_; }

  // Whether a request is for the page itself, which holds nothing of the data and needs no token.
  static bool is_page(const boost::beast::http::request_header<>& request);
  // Why a request is not answered; none where it is. Looks at nothing but the header.
  std::optional<Refusal> refuse(const boost::beast::http::request_header<>& request) const;

 private:
  std::string token_;
  std::string origin_;
  std::string by_name_;  // the same with localhost
};

}  // namespace hearsay::studio
