// SPDX-License-Identifier: Apache-2.0
#include "studio/server.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <list>

#include "base/errors.h"
#include "studio/gate.h"
#include "studio/page.h"
#include "studio/workshop.h"

namespace hearsay::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMostVisitors = 64;
constexpr std::uint32_t kLongestHeader = 16 << 10;
constexpr std::size_t kLargestBody = 64 << 10;
constexpr std::size_t kMostDrained = 1 << 20;
constexpr std::chrono::seconds kPulse{2};
constexpr std::chrono::seconds kWriting{30};
constexpr std::chrono::milliseconds kNoDescriptor{100};

template <typename Body>
using Response = http::response<Body>;

auto into(error_code& error) {
  return asio::redirect_error(asio::use_awaitable, error);
}

// One connection.
struct Visitor {
  explicit Visitor(tcp::socket socket) : stream(std::move(socket)) {}
  beast::tcp_stream stream;
  beast::flat_buffer buffer{kLongestHeader + kLargestBody};
  bool known = false;  // has shown the token
  bool page = false;   // stays for as long as a page is open
};
using VisitorRef = std::shared_ptr<Visitor>;

// What is said to somebody who does not send a request of ours; nothing to one who went away.
std::optional<Refusal> refusal_of(const error_code& error) {
  if (error == http::error::body_limit || error == http::error::buffer_overflow) {
    return Refusal{http::status::payload_too_large, "the body is too large"};
  }
  if (error == http::error::header_limit) {
    return Refusal{http::status::request_header_fields_too_large, "the header is too large"};
  }
  const bool http = error.category() == http::make_error_code(http::error::bad_method).category();
  if (!http || error == http::error::end_of_stream || error == http::error::partial_message) return std::nullopt;
  return Refusal{http::status::bad_request, "this is not HTTP"};
}

// Names of files and of studies may be no UTF-8.
std::string line_of(const results::Json& json) {
  return json.dump(-1, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

std::string error_line(const std::string& sentence) {
  return line_of({{"error", sentence}});
}

// A browser that is opened, or whatever else is started, does not keep it.
template <typename Socket>
void keep_from_children(Socket& socket) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

std::string unusable(const error_code& error) {
  if (error == asio::error::access_denied) return "is for the system's own services; there are 1024 to 65535";
  if (error == asio::error::address_in_use)
    return "is in use by another program; without --port one that is free is taken";
  return "cannot be listened on: " + error.message();
}

}  // namespace

class Server::Listener {
 public:
  Listener(Session& session, const ServerOptions& options)
      : session_(session), options_(options), acceptor_(io_), gate_(open(options.port)), page_(options.framed) {}

  std::string link() const { return gate_.origin() + "/#" + gate_.token(); }

  void run(const std::stop_token& stop) {
    const std::stop_callback end(stop, [&] { io_.stop(); });
    listen();
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception&) {  // such as no memory for one visitor: the others are served
      }
    }
    workshop_.stop();
    error_code error;
    acceptor_.close(error);
    for (const VisitorRef& visitor : visitors_) visitor->stream.close();
  }

 private:
  // Returns the port.
  std::uint16_t open(std::uint16_t port) {
    const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    error_code error;
    acceptor_.open(here.protocol(), error);
    if (!error) keep_from_children(acceptor_);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(here, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) throw ConfigError("--port", std::to_string(port), unusable(error));
    return acceptor_.local_endpoint().port();
  }

  void listen() {
    asio::co_spawn(io_, accept(), [this](const std::exception_ptr& failed) {
      if (failed) listen();
    });
  }

  asio::awaitable<void> accept() {
    for (;;) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(into(error));
      if (error) {  // such as no descriptor left
        asio::steady_timer wait(io_, kNoDescriptor);
        co_await wait.async_wait(into(error));
        continue;
      }
      keep_from_children(socket);
      if (!has_room()) continue;
      auto visitor = std::make_shared<Visitor>(std::move(socket));
      visitors_.push_back(visitor);
      asio::co_spawn(io_, converse(visitor), [this, visitor](const std::exception_ptr&) {
        visitor->stream.close();
        visitors_.remove(visitor);
        if (visitor->page) wait_for_pages();
      });
    }
  }

  // Whoever has shown no token makes room for the next.
  bool has_room() {
    if (visitors_.size() < kMostVisitors) return true;
    const auto stranger =
        std::find_if(visitors_.begin(), visitors_.end(), [](const VisitorRef& one) { return !one->known; });
    if (stranger == visitors_.end()) return false;
    (*stranger)->stream.close();
    visitors_.erase(stranger);
    return true;
  }

  asio::awaitable<void> converse(VisitorRef visitor) {
    for (bool again = true; again;) {
      http::request_parser<http::string_body> parser;
      parser.header_limit(kLongestHeader);
      parser.body_limit(kLargestBody);
      error_code error;
      visitor->stream.expires_after(options_.patience);
      co_await http::async_read_header(visitor->stream, visitor->buffer, parser, into(error));
      if (!error) {
        if (const std::optional<Refusal> refusal = gate_.refuse(parser.get().base())) {
          co_await refuse(visitor, *refusal);
          co_return;
        }
        visitor->known = visitor->known || !Gate::is_page(parser.get().base());
        wait_for_pages();
        co_await http::async_read(visitor->stream, visitor->buffer, parser, into(error));
      }
      if (const std::optional<Refusal> refusal = refusal_of(error)) co_await refuse(visitor, *refusal);
      if (error) co_return;
      const bool whole = co_await answer(visitor, parser.get());
      again = whole && parser.get().keep_alive();
    }
  }

  // Whether the connection may go on. What a coroutine is given is named before: GCC 12 destroys some temporaries of
  // co_await twice.
  asio::awaitable<bool> answer(VisitorRef visitor, const http::request<http::string_body>& request) {
    const std::string target(request.target());
    if (Gate::is_page(request.base())) co_return co_await send_page(visitor);
    if (target == "/api/studio") {
      const std::string text = line_of(session_.about());
      co_return co_await send(visitor, http::status::ok, text);
    }
    if (target == "/api/alive") co_return co_await stay(visitor);
    auto order = std::make_shared<Order>();
    const std::string body = request.body();
    order->work = [this, target, body](Outbox& outbox, const std::stop_token& stop) {
      const Tell tell = [&](const results::Json& event) {
        std::string line = line_of(event);
        event["event"] == "progress" ? outbox.progress(std::move(line)) : outbox.put(std::move(line));
      };
      session_.run(target == "/api/advise" ? Wish::kAdvice : Wish::kReport, body, tell, stop);
    };
    co_return co_await work(visitor, order);
  }

  template <typename Body>
  void dress(Response<Body>& response, const char* type) const {
    response.set(http::field::content_type, type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Content-Security-Policy", page_.policy());
  }

  asio::awaitable<bool> send(VisitorRef visitor, http::status status, const std::string& text) {
    Response<http::string_body> response(status, 11);
    dress(response, "application/json");
    response.body() = text;
    response.prepare_payload();
    co_return co_await write(visitor, response);
  }

  asio::awaitable<bool> send_page(VisitorRef visitor) {
    Response<http::span_body<const char>> response(http::status::ok, 11);
    dress(response, "text/html; charset=utf-8");
    response.body() = {page_.html().data(), page_.html().size()};
    response.prepare_payload();
    co_return co_await write(visitor, response);
  }

  template <typename Body>
  asio::awaitable<bool> write(VisitorRef visitor, Response<Body>& response) {
    error_code error;
    visitor->stream.expires_after(kWriting);
    co_await http::async_write(visitor->stream, response, into(error));
    co_return !error;
  }

  // Says why, and lets whoever is still sending come to an end before the connection is closed.
  asio::awaitable<void> refuse(VisitorRef visitor, const Refusal& refusal) {
    Response<http::string_body> response(refusal.status, 11);
    dress(response, "application/json");
    response.keep_alive(false);
    response.body() = error_line(refusal.sentence);
    response.prepare_payload();
    if (!co_await write(visitor, response)) co_return;
    error_code error;
    visitor->stream.socket().shutdown(tcp::socket::shutdown_send, error);
    std::array<char, 16 << 10> waste;
    visitor->stream.expires_after(options_.patience);
    for (std::size_t drained = 0; !error && drained < kMostDrained;) {
      drained += co_await visitor->stream.async_read_some(asio::buffer(waste), into(error));
    }
  }

  // Starts an answer of lines.
  asio::awaitable<bool> begin_lines(VisitorRef visitor) {
    Response<http::empty_body> response(http::status::ok, 11);
    dress(response, "application/x-ndjson");
    response.chunked(true);
    http::response_serializer<http::empty_body> serializer(response);
    error_code error;
    visitor->stream.expires_after(kWriting);
    co_await http::async_write_header(visitor->stream, serializer, into(error));
    co_return !error;
  }

  asio::awaitable<bool> write_line(VisitorRef visitor, const std::string& line) {
    error_code error;
    visitor->stream.expires_after(kWriting);
    co_await asio::async_write(visitor->stream, http::make_chunk(asio::buffer(line)), into(error));
    co_return !error;
  }

  asio::awaitable<bool> end_lines(VisitorRef visitor) {
    error_code error;
    co_await asio::async_write(visitor->stream, http::make_chunk_last(), into(error));
    co_return !error;
  }

  // Calls `gone` when the other side closes the connection, or says anything.
  void watch(VisitorRef visitor, std::function<void()> gone) {
    visitor->stream.socket().async_wait(tcp::socket::wait_read, [visitor, gone](const error_code& error) {
      if (error != asio::error::operation_aborted) gone();
    });
  }

  asio::awaitable<bool> work(VisitorRef visitor, std::shared_ptr<Order> order) {
    const auto bell = std::make_shared<asio::steady_timer>(io_);
    order->outbox = std::make_shared<Outbox>([this, bell] { asio::post(io_, [bell] { bell->cancel(); }); });
    order->outbox->progress(line_of({{"event", "progress"}, {"stage", "waiting"}, {"done", 0}, {"all", 0}}));
    if (!workshop_.add(order)) {
      const std::string text = error_line("too much is waited for already; try again in a while");
      co_return co_await send(visitor, http::status::too_many_requests, text);
    }
    watch(visitor, [order, bell] {
      order->stop.request_stop();
      bell->cancel();
    });
    bool heard = co_await begin_lines(visitor);
    while (heard && !order->stop.stop_requested()) {
      const std::optional<std::vector<std::string>> lines = order->outbox->take();
      if (!lines) break;
      for (const std::string& line : *lines) {
        if (heard) heard = co_await write_line(visitor, line);
      }
      if (!lines->empty()) continue;
      error_code woken;
      bell->expires_at(asio::steady_timer::time_point::max());
      co_await bell->async_wait(into(woken));
    }
    const bool whole = heard && !order->stop.stop_requested();
    order->stop.request_stop();
    error_code error;
    visitor->stream.socket().cancel(error);
    if (!whole) co_return false;
    co_return co_await end_lines(visitor);
  }

  // For as long as a page is open.
  asio::awaitable<bool> stay(VisitorRef visitor) {
    const auto pulse = std::make_shared<asio::steady_timer>(io_);
    const auto gone = std::make_shared<bool>(false);
    visitor->page = opened_ = true;
    alone_.cancel();
    watch(visitor, [pulse, gone] {
      *gone = true;
      pulse->cancel();
    });
    const std::string line = line_of({{"event", "alive"}});
    bool heard = co_await begin_lines(visitor);
    while (heard && !*gone) {
      heard = co_await write_line(visitor, line);
      error_code woken;
      pulse->expires_after(kPulse);
      if (heard && !*gone) co_await pulse->async_wait(into(woken));
    }
    co_return false;
  }

  // From when the last page is gone, and anew with whatever is asked then: a page that is loaded asks before it stays.
  void wait_for_pages() {
    if (!opened_ || is_open()) return;
    alone_.expires_after(options_.grace);
    alone_.async_wait([this](const error_code& error) {
      const bool over = !error && alone_.expiry() <= asio::steady_timer::clock_type::now();
      if (over && !is_open()) io_.stop();
    });
  }

  bool is_open() const {
    return std::any_of(visitors_.begin(), visitors_.end(), [](const VisitorRef& one) { return one->page; });
  }

  Session& session_;
  ServerOptions options_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  Gate gate_;
  Page page_;
  std::list<VisitorRef> visitors_;
  bool opened_ = false;  // there was a page
  asio::steady_timer alone_{io_};
  Workshop workshop_;
};

Server::Server(Session& session, const ServerOptions& options)
    : listener_(std::make_unique<Listener>(session, options)) {}

Server::~Server() = default;

std::string Server::link() const {
  return listener_->link();
}

void Server::run(const std::stop_token& stop) {
  listener_->run(stop);
}

}  // namespace hearsay::studio
