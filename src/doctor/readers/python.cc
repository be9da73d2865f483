// The active Python: a virtual environment, a conda environment, or the first python3 on PATH;
// found from files, without starting it where they tell enough.
#include <algorithm>

#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

// "3.10" of "python3.10"
std::string short_version(std::string_view name) {
  const std::string_view rest = name.starts_with("python") ? name.substr(6) : std::string_view();
  return contains(rest, ".") && Version::parse(rest) ? std::string(rest) : std::string();
}

struct Interpreter {
  std::string prefix{};  // "/usr", or the folder of the virtual environment
  std::string program{};
  bool is_virtual = false;
};

Interpreter find_interpreter(const Machine& machine) {
  for (const std::string_view name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string prefix = machine.variable(name);
    if (machine.is_folder(prefix + "/lib") && !prefix.empty()) {
      return {.prefix = prefix, .program = prefix + "/bin/python3", .is_virtual = true};
    }
  }
  std::string path = machine.variable("PATH");
  if (path.empty()) path = "/usr/local/bin:/usr/bin";
  for (const std::string_view folder : split_list(path, ':')) {
    const std::string program = format("{}/python3", folder);
    const std::string real = machine.real_path(program);
    if (real.empty()) continue;
    const std::size_t bin = folder.rfind('/');
    const std::string prefix(folder.substr(0, bin == std::string_view::npos ? 0 : bin));
    const bool is_virtual = machine.read(prefix + "/pyvenv.cfg").has_value();
    return {.prefix = prefix, .program = program, .is_virtual = is_virtual};
  }
  return {};
}

void read_version(const Machine& machine, const Interpreter& interpreter, Found& python) {
  const std::string file = interpreter.prefix + "/pyvenv.cfg";
  const std::string settings = machine.read(file).value_or("");
  for (const std::string_view key : {"version_info", "version"}) {
    if (const auto version = Version::parse(value_of(settings, key)))
      python.learn(version->leading(3), file);
  }
  const std::string folder = interpreter.prefix + "/conda-meta";
  for (const std::string& name : machine.list(folder)) {
    if (!name.starts_with("python-3")) continue;
    if (const auto version = Version::parse(split(name, '-')[1]))
      python.learn(version->text(), folder);
  }
  if (python.known()) return;
  const std::string told = machine.output({interpreter.program, "--version"}).value_or("");
  const auto words = split_list(trim(told), ' ');
  if (words.size() == 2 && words[0] == "Python" && Version::parse(words[1])) {
    python.learn(words[1], interpreter.program + " --version");
  }
  const std::string real = machine.real_path(interpreter.program);
  python.learn(short_version(std::string_view(real).substr(real.rfind('/') + 1)), real);
}

void add_folder(const Machine& machine, const std::string& folder, Environment& environment) {
  auto& folders = environment.site_folders;
  const bool is_new = std::find(folders.begin(), folders.end(), folder) == folders.end();
  if (is_new && machine.is_folder(folder)) folders.push_back(folder);
}

// Folders that Python searches, in its order; Debian names its own dist-packages.
void find_site_folders(const Machine& machine, const Interpreter& interpreter,
                       Environment& environment) {
  const auto version = environment.python.version();
  if (!version) return;
  const std::string name = "python" + version->leading(2);
  if (!interpreter.is_virtual) {
    add_folder(machine, format("{}/.local/lib/{}/site-packages", machine.home(), name),
               environment);
  }
  const auto add_below = [&](const std::string& prefix) {
    for (const std::string_view kind : {"site-packages", "dist-packages"}) {
      add_folder(machine, format("{}/lib/{}/{}", prefix, name, kind), environment);
    }
  };
  if (interpreter.prefix == "/usr") add_below("/usr/local");
  add_below(interpreter.prefix);
  if (interpreter.prefix == "/usr")
    add_folder(machine, "/usr/lib/python3/dist-packages", environment);
}

// Version managers put scripts in the place of Python; then only Python itself knows its folders.
void ask_python(const Machine& machine, const Interpreter& interpreter, Environment& environment) {
  const auto told =
      machine.output({interpreter.program, "-c", "import sys; print('\\n'.join(sys.path))"});
  const std::string text = told.value_or("");
  for (const std::string_view line : split(text, '\n')) {
    if (line.ends_with("-packages")) add_folder(machine, std::string(line), environment);
  }
}

void read(const Machine& machine, Environment& environment) {
  const Interpreter interpreter = find_interpreter(machine);
  if (interpreter.program.empty()) return;
  read_version(machine, interpreter, environment.python);
  find_site_folders(machine, interpreter, environment);
  if (environment.site_folders.empty()) ask_python(machine, interpreter, environment);
}

}  // namespace

extern const Reader python = {.name = "python", .read = read};

}  // namespace godwit::doctor::readers
