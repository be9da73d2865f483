// Who is to blame when a collective fails: the ranks tell each other through the store where they
// stand, and a rank that says nothing is looked up by its process, so that the error names it, and
// the line of its script.
#include "hccl.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include <unistd.h>

#include <c10/util/Exception.h>
#include <torch/library.h>

namespace godwit::hccl {
namespace {

using Millis = std::chrono::milliseconds;
// For the other ranks to say where they stand: they fail within a moment of each other.
constexpr Millis kPatience{2000};
constexpr Millis kStackDelay{200};  // for a signal handler to write a few lines
std::string stack_file;             // what faulthandler of this process writes to
int stack_signal = 0;

std::vector<uint8_t> to_bytes(const std::string& s) { return {s.begin(), s.end()}; }
std::string to_string(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

// Field 22 of /proc/PID/stat: with it a process number cannot be mistaken for that of a later
// process.
std::string start_of(int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t paren = line.rfind(')');
  if (paren == std::string::npos) return "";
  std::istringstream rest(line.substr(paren + 1));
  std::string field;
  for (int i = 3; i <= 22 && rest >> field; ++i) {
    if (i == 3 && field == "Z") return "";  // has ended, nobody has collected it yet
  }
  return field;
}

// What a rank tells the others on its first call.
struct Identity {
  std::string host;
  int64_t pid = 0;
  std::string start;
  int card = 0;
  std::string stack;
  int signal = 0;
};

std::string encode(const Identity& i) {
  return c10::str(i.host, "\t", i.pid, "\t", i.start, "\t", i.card, "\t", i.signal, "\t", i.stack);
}

std::optional<Identity> decode(const std::string& line) {
  std::istringstream in(line);
  Identity i;
  std::string pid, card, signal;
  const bool whole = std::getline(in, i.host, '\t') && std::getline(in, pid, '\t') &&
                     std::getline(in, i.start, '\t') && std::getline(in, card, '\t') &&
                     std::getline(in, signal, '\t');
  if (!whole) return std::nullopt;
  std::getline(in, i.stack);
  i.pid = std::atoll(pid.c_str());
  i.card = std::atoi(card.c_str());
  i.signal = std::atoi(signal.c_str());
  return i;
}

std::string identity_key(int rank) { return "godwit/identity/" + std::to_string(rank); }
std::string fault_key(int rank) { return "godwit/fault/" + std::to_string(rank); }

// "train.py:42": the innermost line of the stack that is neither in an installed package nor in
// ours.
std::string line_of(const std::string& file) {
  std::ifstream in(file);
  std::string line, first, own;
  while (std::getline(in, line)) {
    const size_t from = line.find("File \""), to = line.find("\", line ");
    if (from == std::string::npos || to == std::string::npos) continue;
    const std::string path = line.substr(from + 6, to - from - 6), rest = line.substr(to + 8);
    const std::string place = path + ":" + rest.substr(0, rest.find(' '));
    if (first.empty()) first = place;
    const bool is_foreign = path.find("-packages/") != std::string::npos ||
                            path.find("/godwit/") != std::string::npos || path[0] == '<';
    if (own.empty() && !is_foreign) own = place;
  }
  return own.empty() ? first : own;
}

// Where a silent rank is: its process has ended, or its Python stack.
std::string look_up(const std::optional<Identity>& who, int64_t rank) {
  const std::map<std::string, std::string> places{{"rank", std::to_string(rank)}};
  if (!who || who->host != host_name()) return text("hccl_silent", places);
  auto with_pid = places;
  with_pid["pid"] = std::to_string(who->pid);
  if (start_of(who->pid) != who->start) return text("hccl_ended", with_pid);
  if (who->stack.empty() || kill(static_cast<pid_t>(who->pid), who->signal) != 0)
    return text("hccl_silent", places);
  std::this_thread::sleep_for(kStackDelay);
  with_pid["line"] = line_of(who->stack);
  return with_pid["line"].empty() ? text("hccl_silent", places) : text("hccl_stands", with_pid);
}

std::string now_text() {
  char when[32] = {};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  std::strftime(when, sizeof when, "%Y-%m-%d-%H:%M:%S", localtime_r(&now, &local));
  return when;
}

struct Testimony {
  std::map<int, std::string> places;  // rank in the group -> "sequence\tcall"
  std::map<int, Identity> known;
  bool is_store_lost = false;
};

std::optional<std::string> peek(c10d::Store& store, const std::string& key) {
  if (!store.check({key})) return std::nullopt;
  return to_string(store.get(key));
}

Testimony hear(const Place& place, const Record& record) {
  Testimony all;
  if (!place.store) {
    all.is_store_lost = true;
    return all;
  }
  const int size = static_cast<int>(place.ranks.size());
  const auto until = std::chrono::steady_clock::now() + kPatience;
  try {
    place.store->set(fault_key(place.rank),
                     to_bytes(c10::str(record.sequence, "\t", record.call.name)));
    do {
      for (int rank = 0; rank < size; ++rank) {
        if (rank == place.rank || all.places.count(rank)) continue;
        if (auto found = peek(*place.store, fault_key(rank))) all.places[rank] = *found;
      }
      if (static_cast<int>(all.places.size()) == size - 1) break;
      std::this_thread::sleep_for(Millis(20));
    } while (std::chrono::steady_clock::now() < until);
    for (int rank = 0; rank < size; ++rank) {
      if (auto found = peek(*place.store, identity_key(rank))) {
        if (auto who = decode(*found)) all.known[rank] = *who;
      }
    }
  } catch (const std::exception&) {
    all.is_store_lost = true;  // its host was rank 0 or the launcher, and that has ended
  }
  return all;
}

// One line for each rank that is not where this one is.
std::vector<std::string> accuse(const Place& place, const Record& record, const Testimony& heard,
                                std::vector<int64_t>& absent) {
  std::vector<std::string> lines;
  if (heard.is_store_lost) return {text("hccl_store_lost", {})};
  for (int rank = 0; rank < static_cast<int>(place.ranks.size()); ++rank) {
    if (rank == place.rank) continue;
    const int64_t world = place.ranks[rank];
    const auto said = heard.places.find(rank);
    if (said == heard.places.end()) {
      absent.push_back(world);
      const auto who = heard.known.find(rank);
      lines.push_back(
          look_up(who == heard.known.end() ? std::nullopt : std::optional(who->second), world));
      continue;
    }
    const size_t tab = said->second.find('\t');
    const std::string number = said->second.substr(0, tab), call = said->second.substr(tab + 1);
    if (number == std::to_string(record.sequence) && call == record.call.name) continue;
    lines.push_back(text("hccl_elsewhere",
                         {{"rank", std::to_string(world)}, {"call", call}, {"number", number}}));
  }
  return lines;
}

}  // namespace

std::exception_ptr explain(const Place& place, const Record& record,
                           const std::exception_ptr& cause) {
  std::string why;
  try {
    std::rethrow_exception(cause);
  } catch (const c10::Error& error) {
    why = error.what_without_backtrace();
  } catch (const std::exception& error) {
    why = error.what();
  }
  std::vector<int64_t> absent;
  const auto lines = accuse(place, record, hear(place, record), absent);
  std::string remote = "unknown";
  if (!absent.empty())
    remote = c10::str(c10::IntArrayRef(absent)).substr(1, std::string::npos), remote.pop_back();
  const double seconds = double(now_ns() - record.start_ns) / 1e9;
  std::ostringstream out;
  out << record.call.name << ": HCCL function error: task of Hccl" << record.call.collective
      << " timed out, error code is 107020" << error_tail("ERR02200 DIST call hccl api failed.")
      << "\n"
      << "EI0002: [PID: " << getpid() << "] " << now_text()
      << " Waiting for the notify record of remote rank [" << remote << "] timed out. tag["
      << record.call.collective << "_" << place.group << "_" << record.sequence << "]\n";
  char waited[32];
  std::snprintf(waited, sizeof waited, "%.1f", seconds);
  out << text("hccl_timeout", {{"rank", std::to_string(place.ranks[place.rank])},
                               {"call", record.call.name},
                               {"number", std::to_string(record.sequence)},
                               {"seconds", waited}});
  for (const std::string& line : lines) out << "\n  " << line;
  out << "\n  " << text("hccl_timeout_remedy", {}) << "\n  (gloo: " << why << ")";
  return std::make_exception_ptr(
      c10::DistBackendError({__func__, __FILE__, static_cast<uint32_t>(__LINE__)}, out.str()));
}

void check_cards(const Place& place, int card) {
  if (!place.store) return;
  const Identity me{host_name(), getpid(), start_of(getpid()), card, stack_file, stack_signal};
  place.store->set(identity_key(place.rank), to_bytes(encode(me)));
  if (!is_one_process_per_card()) return;
  // Whoever tells its card last meets the other: nobody has to wait for a rank that may never come.
  for (int rank = 0; rank < static_cast<int>(place.ranks.size()); ++rank) {
    if (rank == place.rank) continue;
    const auto found = peek(*place.store, identity_key(rank));
    const auto other = found ? decode(*found) : std::nullopt;
    if (!other || other->host != me.host || other->card != card || other->pid == me.pid) continue;
    const auto world = place.ranks;
    TORCH_CHECK(false, "HCCL function error: HcclCommInitRootInfo, error code is 1",
                error_tail("ERR02200 DIST call hccl api failed."), "\n",
                text("hccl_same_card", {{"rank", std::to_string(world[place.rank])},
                                        {"other", std::to_string(world[rank])},
                                        {"card", std::to_string(card)}}));
  }
}

}  // namespace godwit::hccl

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("hccl_stack_file(str path, int signal) -> ()", [](const std::string& path, int64_t signal) {
    godwit::hccl::stack_file = path;
    godwit::hccl::stack_signal = static_cast<int>(signal);
  });
}
