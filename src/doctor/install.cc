// File names come from packages.tsv; pip lines from the solution and the rows that hold for it.
#include "doctor/install.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace godwit::doctor {
namespace {

struct Names {
  std::string family = "any";
  std::string chip = "<chip>";
  std::string arch = "<arch>";
};

Names names_of(const Environment& environment, const facts::Soc* soc) {
  Names names;
  if (soc) {
    names.family = soc->family;
    names.chip = soc->short_name;
  }
  if (environment.arch.known()) names.arch = environment.arch.value;
  return names;
}

const PackageFile* find_file(const Knowledge& knowledge, std::string_view package,
                             const std::string& cann, const std::string& family) {
  const auto release = Version::parse(cann);
  const PackageFile* general = nullptr;
  for (const PackageFile& file : knowledge.files) {
    if (file.package != package || !release || !file.when.contains(*release)) continue;
    if (file.family == family) return &file;
    if (file.family == "any") general = &file;
  }
  return general;
}

std::string command_of(const PackageFile& file, const std::string& version, const Names& names) {
  // Driver files write the architecture with a hyphen.
  const Args args = {{"chip", names.chip},
                     {"version", version},
                     {"arch", names.arch},
                     {"hdk_arch", replace_all(names.arch, "x86_64", "x86-64")}};
  return format("./{} {}", fill(file.file, args), file.arguments);
}

bool has_release(const Found& found, const std::string& wanted) {
  const auto have = found.version(), want = Version::parse(wanted);
  return have && want && *have == *want;
}

bool has_ops(const Environment& environment, const facts::Soc* soc) {
  return soc && std::any_of(environment.ops.begin(), environment.ops.end(),
                            [&](const OpsPackage& ops) { return ops.family == soc->family; });
}

class Steps {
 public:
  Steps(const Knowledge& knowledge, const Solution& solution, Names names)
      : knowledge_(knowledge), solution_(solution), names_(std::move(names)) {}

  void add_file(std::string_view package, const std::string& version, std::string note = {}) {
    const PackageFile* const file = find_file(knowledge_, package, solution_.cann, names_.family);
    if (file) steps.push_back({command_of(*file, version, names_), std::move(note)});
  }

  std::vector<Step> steps;

 private:
  const Knowledge& knowledge_;
  const Solution& solution_;
  Names names_;
};

void add_system(const Environment& environment, const Solution& solution, const facts::Soc* soc,
                Steps& into) {
  if (!solution.keeps_driver && solution.driver_is_known) {
    const std::string kit = replace_all(solution.driver, ".X", ".*");
    into.add_file("driver", to_lower(kit), "doctor.note_root");
    into.add_file("firmware", to_lower(kit), "doctor.note_root");
    into.steps.push_back({"reboot", "doctor.note_root"});
  }
  const bool same_cann = has_release(environment.cann, solution.cann);
  const auto border = Version::parse("8.5"), old = environment.cann.version(),
             next = Version::parse(solution.cann);
  const bool crosses = old && next && *old < *border && !(*next < *border);
  if (!same_cann) into.add_file("toolkit", solution.cann, crosses ? "doctor.note_remove_old" : "");
  if (!same_cann || !has_ops(environment, soc)) into.add_file("ops", solution.cann);
  const bool is_new = next && !(*next < *border);
  into.steps.push_back(
      {format("source /usr/local/Ascend/{}/set_env.sh", is_new ? "cann" : "ascend-toolkit"),
       "doctor.note_every_shell"});
  if (!has_release(environment.nnal, solution.cann))
    into.add_file("nnal", solution.cann, "doctor.note_nnal");
}

bool fits(const Package* package, const Want& want) {
  const auto version = package ? Version::parse(package->version) : std::nullopt;
  return version && want.range && want.range->contains(*version);
}

// numpy, 'numpy>=1.20,<2'
std::string requirement_text(const Want& want) {
  const std::string name = replace_all(want.component, "_", "-");
  return want.range->is_any() ? name : format("'{}{}'", name, want.range->text());
}

// Built against one torch release and, on x86-64, for CUDA or the CPU as torch is: they come with
// it.
bool comes_with_torch(std::string_view component) {
  return component == "torchvision" || component == "torchaudio";
}

bool is_to_install(const Environment& environment, const Want& want) {
  const Package* const package = environment.package(want.component);
  const bool is_wanted = want.is_required || want.is_pinned || package;
  // A contradiction is said where the set is shown; a range with alternatives is no pip argument.
  return is_wanted && want.range && !contains(want.range->text(), "|") && !fits(package, want);
}

bool has_package(const Environment& environment, std::string_view name, const std::string& wanted) {
  const Package* const package = environment.package(name);
  const auto have = package ? Version::parse(package->version) : std::nullopt;
  return have && Version::parse(wanted) && *have == *Version::parse(wanted);
}

void add_torch(const Knowledge& knowledge, const Environment& environment, const Solution& solution,
               Steps& into) {
  // Elsewhere than on x86-64 the usual packages are the CPU build.
  const PackageFile* const cpu = environment.arch.value == "x86_64"
                                     ? find_file(knowledge, "torch_cpu", solution.cann, "any")
                                     : nullptr;
  std::string packages;
  const bool is_cuda_build = environment.torch_cuda.known();
  if (!has_package(environment, "torch", solution.torch) || is_cuda_build) {
    packages += " " + (cpu ? fill(cpu->file, Args{{"version", solution.torch}})
                           : format("torch=={}", solution.torch));
  }
  for (const Want& want : solution.wants()) {
    if (comes_with_torch(want.component) && is_to_install(environment, want))
      packages += " " + requirement_text(want);
  }
  if (!packages.empty()) {
    into.steps.push_back({format("pip install{}{}", packages, cpu ? " " + cpu->arguments : ""),
                          cpu ? "doctor.note_cpu_build" : ""});
  }
  if (!has_package(environment, "torch_npu", solution.torch_npu))
    into.steps.push_back({format("pip install torch_npu=={}", solution.torch_npu), ""});
}

// One pip line for all packages that the releases need and that are missing or do not fit.
void add_packages(const Environment& environment, const Solution& solution, Steps& into) {
  std::string line;
  for (const Want& want : solution.wants()) {
    const bool is_tool = want.component == "gcc" || want.component == "cmake";
    if (is_tool || comes_with_torch(want.component) || !is_to_install(environment, want)) continue;
    line += " " + requirement_text(want);
  }
  if (!line.empty()) into.steps.push_back({"pip install" + line, "doctor.note_toolkit_needs"});
}

}  // namespace

std::vector<Step> install_steps(const Knowledge& knowledge, const Environment& environment,
                                const Solution& solution, const facts::Soc* soc) {
  Steps steps(knowledge, solution, names_of(environment, soc));
  add_system(environment, solution, soc, steps);
  const auto python = environment.python.version();
  if (!solution.python.empty() && (!python || python->leading(2) != solution.python)) {
    steps.steps.push_back({format("python{} -m venv npu && . npu/bin/activate", solution.python),
                           "doctor.note_python"});
  }
  add_torch(knowledge, environment, solution, steps);
  add_packages(environment, solution, steps);
  return steps.steps;
}

}  // namespace godwit::doctor
