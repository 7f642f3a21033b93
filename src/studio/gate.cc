// SPDX-License-Identifier: Apache-2.0
#include "studio/gate.h"

#include <fmt/format.h>

#include <boost/beast/http/rfc7230.hpp>
#include <map>
#include <string_view>

#include "base/random.h"

namespace hearsay::studio {
namespace {

namespace http = boost::beast::http;

constexpr int kTokenWords = 4;  // of 64 bits

// What there is to ask for.
const std::map<std::string_view, http::verb> kMethods = {{"/", http::verb::get},
                                                         {"/api/studio", http::verb::get},
                                                         {"/api/alive", http::verb::get},
                                                         {"/api/run", http::verb::post},
                                                         {"/api/advise", http::verb::post}};

std::string_view view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

// In the same time whatever is wrong with it.
bool same(std::string_view given, std::string_view token) {
  unsigned different = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char c = i < given.size() ? given[i] : '\0';
    different |= static_cast<unsigned char>(c) ^ static_cast<unsigned char>(token[i]);
  }
  return different == 0;
}

}  // namespace

Gate::Gate(std::uint16_t port)
    : origin_(fmt::format("http://127.0.0.1:{}", port)), by_name_(fmt::format("http://localhost:{}", port)) {
  SecureBits bits;
  for (int i = 0; i < kTokenWords; ++i) token_ += fmt::format("{:016x}", bits());
}

bool Gate::is_page(const http::request_header<>& request) {
  return request.target() == "/";
}

std::optional<Refusal> Gate::refuse(const http::request_header<>& request) const {
  constexpr std::string_view kScheme = "http://";
  const std::string host = std::string(kScheme) + std::string(view(request[http::field::host]));
  if (request.count(http::field::host) != 1 || (host != origin_ && host != by_name_)) {
    return Refusal{http::status::forbidden, "this server is asked for by another name than its own"};
  }
  if (request.count(http::field::origin) > 0 && view(request[http::field::origin]) != host) {
    return Refusal{http::status::forbidden, "another site's page asks"};
  }
  const auto known = kMethods.find(view(request.target()));
  if (known == kMethods.end()) return Refusal{http::status::not_found, "there is nothing here"};
  if (request.method() != known->second) return Refusal{http::status::method_not_allowed, "this is asked otherwise"};
  if (is_page(request)) return std::nullopt;
  const std::string_view site = view(request["Sec-Fetch-Site"]);
  if (!site.empty() && site != "same-origin" && site != "none") {
    return Refusal{http::status::forbidden, "another site's page asks"};
  }
  constexpr std::string_view kBearer = "Bearer ";
  std::string_view given = view(request[http::field::authorization]);
  const bool has = given.starts_with(kBearer);
  if (has) given.remove_prefix(kBearer.size());
  if (!same(has ? given : std::string_view(), token_)) {
    return Refusal{http::status::unauthorized, "the token of the link is missing or wrong"};
  }
  if (request.method() == http::verb::post && view(request[http::field::content_type]) != "application/json") {
    return Refusal{http::status::unsupported_media_type, "the body must be application/json"};
  }
  return std::nullopt;
}

}  // namespace hearsay::studio
