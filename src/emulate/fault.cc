// --fault: which rank ends, hangs or slows down, and when, so that a typing error is found before
// ranks start.
#include "base/text.h"
#include "emulate/profile.h"

namespace godwit::emulate {
namespace {

constexpr double kMostSeconds = 86400;

struct Fault {
  std::int64_t rank = -1, step = 0, call = 0;
  std::string action{};
  double seconds = 0, factor = 1;
};

// "300ms", "2s": a delay; "3x": a multiple of the step's own time.
bool read_delay(std::string_view text, Fault& fault) {
  const std::size_t unit = text.find_first_not_of("0123456789.");
  if (unit == std::string_view::npos) return false;
  const auto number = parse_number(text.substr(0, unit));
  const std::string_view name = text.substr(unit);
  if (!number) return false;
  if (name == "x") return (fault.factor = *number) >= 1 && *number < kMostSeconds;
  if (name != "s" && name != "ms") return false;
  fault.seconds = *number / (name == "ms" ? 1000 : 1);
  return fault.seconds < kMostSeconds;
}

bool read_number(std::string_view text, std::int64_t least, std::int64_t& number) {
  const auto value = parse_integer(text);
  number = value.value_or(-1);
  return number >= least;
}

bool read_part(std::string_view part, Fault& fault) {
  const std::size_t equals = part.find('=');
  const std::string_view key = part.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
  if (key == "rank" && fault.rank < 0) return read_number(value, 0, fault.rank);
  if (key == "step" && fault.step == 0) return read_number(value, 1, fault.step);
  if (key == "call" && fault.call == 0) return read_number(value, 1, fault.call);
  if (!fault.action.empty()) return false;
  fault.action = key;
  if (key == "slow") return read_delay(value, fault);
  return (key == "kill" || key == "hang") && equals == std::string_view::npos;
}

// A factor is one of a step's time; calls have none.
bool is_whole(const Fault& fault) {
  const bool has_time = (fault.step > 0) != (fault.call > 0);
  return fault.rank >= 0 && has_time && !fault.action.empty() &&
         (fault.call == 0 || fault.factor == 1);
}

}  // namespace

Result<Json> parse_fault(std::string_view text) {
  if (text.empty()) return Json();
  Fault fault;
  for (const std::string_view part : split_list(text, ',')) {
    if (!read_part(trim(part), fault)) {
      return fail("E249", {}, {{"fault", std::string(text)}, {"found", std::string(part)}});
    }
  }
  if (!is_whole(fault)) {
    return fail("E249", {}, {{"fault", std::string(text)}, {"found", std::string(text)}});
  }
  Json json = Json::object();
  json.set("rank", fault.rank).set("step", fault.step).set("call", fault.call);
  json.set("action", fault.action).set("seconds", fault.seconds).set("factor", fault.factor);
  return json;
}

}  // namespace godwit::emulate
