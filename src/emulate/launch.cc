// Finds the Python behind a command, keeps the profile for its processes, and becomes the command.
#include "emulate/launch.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/version.h"

namespace godwit::emulate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOldestTorch = "2.1";
constexpr std::chrono::seconds kPatience{60};  // a cold network disk
constexpr std::size_t kFirstLine = 512;

// Asks without importing torch, which takes seconds. What this process emulates is not the real
// torch_npu, so a command started inside an emulated one is fine.
constexpr std::string_view kQuestion = R"(
import importlib.metadata, importlib.util, json, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except Exception:
        return "" if importlib.util.find_spec(name) is None else "0"
def origin(name):
    spec = importlib.util.find_spec(name)
    return (spec.origin or "") if spec else ""
print("godwit:" + json.dumps({"program": sys.executable, "torch": version("torch"),
      "torch_npu": origin("torch_npu"), "package": origin("godwit")}))
)";

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

bool is_python(std::string_view program) {
  return fs::path(program).filename().string().starts_with("python");
}

fs::path on_path(const std::string& program) {
  if (contains(program, "/")) return program;
  const std::string path = environment("PATH");
  for (const std::string_view folder : split_list(path, ':')) {
    const fs::path full = fs::path(folder) / program;
    if (::access(full.c_str(), X_OK) == 0) return full;
  }
  return {};
}

// "#!/usr/bin/env python3" and "#!/venv/bin/python": what a script such as torchrun runs in.
std::string interpreter_of(const fs::path& script) {
  const std::string start = read_start(script, kFirstLine);
  if (!start.starts_with("#!")) return {};
  const std::string_view line = std::string_view(start).substr(2, start.find('\n') - 2);
  for (const std::string_view word : split_list(line, ' ')) {
    if (is_python(word)) return std::string(word);
  }
  return {};
}

// `godwit trace -- godwit emulate … -- python train.py`: the Python stands behind the last mark.
std::string choose_python(const std::vector<std::string>& command) {
  const auto mark = std::find(command.rbegin(), command.rend(), "--");
  if (fs::path(command.front()).filename() == "godwit" && mark != command.rbegin() &&
      mark != command.rend()) {
    return choose_python({mark.base(), command.end()});
  }
  if (is_python(command.front())) return command.front();
  std::string named = interpreter_of(on_path(command.front()));
  if (!named.empty()) return named;
  return on_path("python3").empty() ? "python" : "python3";
}

bool is_package(const fs::path& folder) {
  std::error_code code;
  return fs::is_regular_file(folder / "startup" / "sitecustomize.py", code);
}

// Beside the interpreter's other packages, or in the tree that this program was built from.
Result<fs::path> find_package(const fs::path& by_python, const std::string& program) {
  if (is_package(by_python)) return by_python;
  const fs::path own = own_path();
  for (fs::path at = own.parent_path(); at.has_relative_path(); at = at.parent_path()) {
    for (const char* const place : {"python/godwit", "share/godwit/python/godwit"}) {
      if (is_package(at / place)) return at / place;
    }
  }
  return fail("E247", {}, {{"python", program}, {"program", own.string()}});
}

fs::path cache_folder() {
  std::string root = environment("XDG_CACHE_HOME");
  if (root.empty() && !environment("HOME").empty()) root = environment("HOME") + "/.cache";
  std::error_code code;
  if (root.empty()) root = fs::temp_directory_path(code).string();
  return fs::path(root) / "godwit" / "devices";
}

}  // namespace

fs::path own_path() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code);
}

Result<Python> find_python(const std::vector<std::string>& command, Purpose purpose) {
  const std::string program = choose_python(command);
  ASSIGN(const Finished asked, run_program({program, "-c", std::string(kQuestion)}, kPatience));
  constexpr std::string_view kMark = "godwit:";
  const std::size_t at = asked.output.rfind(kMark);
  if (at == std::string::npos) {
    return fail("E014", {}, {{"program", program}, {"reason", std::string(trim(asked.output))}});
  }
  ASSIGN(const Json answer, parse_json(trim(asked.output).substr(at + kMark.size()), program));
  Python python{.program = std::string(answer["program"].string()),
                .torch = std::string(answer["torch"].string())};
  if (python.program.empty()) python.program = program;
  const Args args = {{"python", python.program}, {"found", python.torch}};
  if (python.torch.empty()) return fail("E244", {}, args);
  const auto version = facts::Version::parse(python.torch);
  const auto oldest = facts::Version::parse(kOldestTorch);
  if (version && version->text() != "0" && *version < *oldest) return fail("E245", {}, args);
  const std::string npu(answer["torch_npu"].string());
  if (purpose == Purpose::kDevice && !npu.empty() && !contains(npu, "/godwit/standin/")) {
    return fail("E246", {}, {{"python", python.program}, {"found", npu}});
  }
  const fs::path by_python = fs::path(answer["package"].string()).parent_path();
  ASSIGN(python.package, find_package(by_python, python.program));
  python.finds_package = python.package == by_python;
  return python;
}

Result<fs::path> keep_profile(const Json& profile) {
  const std::string text = profile.dump();
  const fs::path path = cache_folder() / (sha256(text).substr(0, 24) + ".json");
  std::error_code code;
  if (fs::file_size(path, code) != text.size() || code) TRY(write_file(path, text, Sync::kLater));
  return path;
}

Status launch(const std::vector<std::string>& command, const Args& variables,
              const Python& python) {
  std::string path = (python.package / "startup").string();
  if (!python.finds_package) path += ":" + python.package.parent_path().string();
  if (const std::string before = environment("PYTHONPATH"); !before.empty()) path += ":" + before;
  ::setenv("PYTHONPATH", path.c_str(), 1);
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv("GODWIT_PROGRAM", own_path().c_str(), 1);
  ::setenv("GODWIT_LANG", diag::language() == diag::Language::kChinese ? "zh" : "en", 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  return fail("E014", {}, {{"program", command.front()}, {"reason", std::strerror(errno)}});
}

}  // namespace godwit::emulate
