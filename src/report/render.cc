// The page around its parts. A policy in the page lets its own script run and nothing else, so even
// markup that slipped through could not act.
#include "report/render.h"

#include <array>
#include <cstdint>

#include "base/hash.h"
#include "base/resources.h"
#include "base/text.h"
#include "diag/messages.h"
#include "report/parts.h"

namespace godwit::report {
namespace {

// RFC 4648, section 4, of a digest in hex.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto digit = [](char c) {
    return static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::string out;
  std::uint32_t bits = 0, held = 0;
  for (const char c : hex) {
    bits = bits << 4 | digit(c);
    held += 4;
    if (held < 6) continue;
    held -= 6;
    out += kDigits[bits >> held & 63];
  }
  if (held) out += kDigits[bits << (6 - held) & 63];
  while (out.size() % 4) out += '=';
  return out;
}

Html raw(std::string_view name) {
  auto text = resource(name);
  return {text ? *std::move(text) : std::string()};
}

Html meta(std::string_view name, std::string_view content) {
  return {"<meta name=\"" + escape_markup(name) + "\" content=\"" + escape_markup(content) +
          "\">\n"};
}

Html head(const Page& page, const Html& style, const Html& script) {
  const std::string policy =
      format("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'",
             base64_of_hex(sha256(script.code)));
  Html out = {"<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"" +
              escape_markup(policy) + "\">\n"};
  out += meta("viewport", "width=device-width, initial-scale=1");
  out += meta("color-scheme", "light dark");
  out += tag("title", say(format("{} → {} · Godwit", page.name, page.target)));
  return out + tag("style", style);
}

// Links to the sections that this page has.
Html nav(const Html& body) {
  Html links;
  for (const std::string_view id :
       {"next", "environment", "support", "effort", "findings", "files", "checklist", "record"}) {
    if (!contains(body.code, format("<section id=\"{}\"", id))) continue;
    const std::string_view key = id == "files" ? std::string_view("hot_files") : id;
    links += tag("a", {{"href", format("#{}", id)}}, say(diag::text(format("report.{}", key))));
  }
  return tag("nav", links);
}

}  // namespace

std::string render_html(const Page& page) {
  const Html style = raw("report/page.css"), script = raw("report/page.js");
  const Html body = next_part(page) + versions_part(page) + support_part(page) + effort_part(page) +
                    findings_part(page) + files_part(page) + checklist_part(page) +
                    record_part(page);
  const bool chinese = diag::language() == diag::Language::kChinese;
  return "<!DOCTYPE html>\n" +
         tag("html", {{"lang", chinese ? "zh-CN" : "en"}},
             tag("head", head(page, style, script)) +
                 tag("body", tag("main", head_part(page) + figures_part(page) + nav(body) + body) +
                                 tag("script", script)))
             .code +
         "\n";
}

}  // namespace godwit::report
