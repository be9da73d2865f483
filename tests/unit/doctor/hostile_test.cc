// Files and outputs of other machines, damaged in every way a small generator finds: readers must
// come to an end, keep to valid text, and never crash.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "base/text.h"
#include "doctor/pin.h"
#include "doctor/reader.h"
#include "unit/doctor/files.h"

namespace godwit::doctor {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> kTree = {
    {"commands/npu-smi info",
     "| npu-smi 25.2.0   Version: 25.2.0 |\n| 1  310P3 | OK | NA 41 |\n| 0  0 | 0000:01:00.0 | 0 "
     "|\n"},
    {"commands/nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader",
     "A100, 81920 MiB, 535.129.03\n"},
    {"commands/nvcc --version", "release 12.1, V12.1.105\n"},
    {"commands/gcc --version", "gcc (Debian 12.2.0-14) 12.2.0\n"},
    {"commands/env", "HOME=/home/me\nVIRTUAL_ENV=/venv\nASCEND_HOME_PATH=/usr/local/Ascend/cann\n"},
    {"etc/os-release", "ID=ubuntu\nVERSION_ID=\"22.04\"\n"},
    {"usr/local/cuda/version.json", "{\"cuda\": {\"version\": \"12.1.1\"}}\n"},
    {"usr/local/Ascend/driver/version.info", "Version=25.2.0\ncompatible_version_fw=[7.0,8.0]\n"},
    {"usr/local/Ascend/cann/version.cfg", "toolkit_running_version=[7.6.0.1:8.0.0]\n"},
    {"usr/local/Ascend/cann/compiler/version.info", "Version=8.2.0.0\nversion_dir=8.2.RC1\n"},
    {"venv/pyvenv.cfg", "version = 3.10.12\n"},
    {"venv/lib/python3.10/site-packages/x.egg-info", "Name: x\nVersion: 1.0\n"},
    {"venv/lib/python3.10/site-packages/torch/version.py", "cuda: str = '12.1'\n"},
};

class Random {
 public:
  std::size_t below(std::size_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % end;
  }
  // Cuts, doubles, or overwrites with bytes that parsers trip over.
  std::string damage(std::string text) {
    static constexpr char kBytes[] = "|=:[]\"'\n\0\xff,.~-+ 9v";
    for (std::size_t times = 1 + below(6); times > 0; --times) {
      if (text.empty()) return text;
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0: text.resize(at); break;
        case 1: text.insert(at, text.substr(below(text.size()))); break;
        case 2: text.erase(at, 1 + below(8)); break;
        default: text[at] = kBytes[below(sizeof(kBytes) - 1)];
      }
    }
    return text;
  }

 private:
  std::uint64_t state_ = 11;
};

TEST(DoctorHostile, DamagedTreesAreRead) {
  const fs::path root = fs::temp_directory_path() / ("godwit_hostile_" + std::to_string(getpid()));
  for (const auto& [path, content] : kTree) write(root / path, content);
  Random random;
  for (int round = 0; round < 300; ++round) {
    const auto chosen =
        std::next(kTree.begin(), static_cast<std::ptrdiff_t>(random.below(kTree.size())));
    write(root / chosen->first, random.damage(chosen->second));
    const Environment environment = read_machine(Machine::copy(root));
    for (const auto& [name, member] : kFields) {
      EXPECT_EQ(first_invalid_utf8((environment.*member).value), std::string::npos) << name;
    }
    write(root / chosen->first, chosen->second);
  }
  fs::remove_all(root);
}

TEST(DoctorHostile, LinksStayInsideTheTree) {
  const fs::path root = fs::temp_directory_path() / ("godwit_links_" + std::to_string(getpid()));
  fs::create_directories(root / "etc");
  fs::create_symlink("/etc/passwd", root / "etc/os-release");
  fs::create_symlink("../../../../../../etc/passwd", root / "etc/centos-release");
  fs::create_symlink("loop", root / "etc/loop");
  const Machine machine = Machine::copy(root);
  EXPECT_FALSE(machine.read("/etc/os-release"));
  EXPECT_FALSE(machine.read("/etc/centos-release"));
  EXPECT_FALSE(machine.read("/etc/loop"));
  EXPECT_FALSE(machine.read("/../../etc/passwd"));
  fs::remove_all(root);
}

TEST(DoctorHostile, DamagedPinFilesAreRead) {
  const std::map<std::string, std::string> files = {
      {"requirements.txt", "torch[x]>=2.0,<3 ; python_version<'3'\n-r a\nnumpy ~= 1.2 # c\n"},
      {"pyproject.toml", "[project]\nrequires-python=\">=3.8\"\ndependencies=[\"torch==2.1\"]\n"},
      {"uv.lock", "[[package]]\nname = \"torch\"\nversion = \"2.1.0\"\n"},
      {"pipfile.lock", R"({"default": {"torch": {"version": "==2.1"}}})"},
      {"environment.yml", "dependencies:\n  - numpy=1.2\n  - pip:\n    - 'torch==2.1'\n"},
      {"setup.py", "setup(install_requires=['a==1', \"b\"], python_requires='>=3.8')\n"},
      {"setup.cfg", "install_requires =\n  a==1\n  b\npython_requires = >=3.8\n"}};
  Random random;
  for (const auto& [name, content] : files) {
    const PinFormat* const format = find_pin_format(name);
    ASSERT_TRUE(format) << name;
    ASSERT_TRUE(format->read(content, name)) << name;
    EXPECT_FALSE(format->read(content, name)->empty()) << name;
    for (int round = 0; round < 500; ++round) {
      const auto pins = format->read(to_valid_utf8(random.damage(content)), name);
      for (const Pin& pin : pins.value_or(std::vector<Pin>{}))
        EXPECT_FALSE(pin.name.empty()) << name;
    }
  }
}

}  // namespace
}  // namespace godwit::doctor
