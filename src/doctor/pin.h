// Pins: which versions a project asks for, from requirement files, lock files and build files; one
// format = one file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "doctor/environment.h"

namespace godwit::doctor {

struct Pin {
  std::string name{};  // as package_name() gives it; "python" for the interpreter
  Range range{};
  Place place{};
  std::string snippet{};  // as it stands in the file
};

struct PinFormat {
  std::string_view name;
  bool (*matches)(std::string_view file_name);
  Result<std::vector<Pin>> (*read)(std::string_view text, const std::string& file);
  bool is_complete = false;  // a lock file: names every package with its version
};

extern const std::span<const PinFormat* const> kPinFormats;

/// The format of a file by its name; null when it is none of them.
const PinFormat* find_pin_format(std::string_view file_name);

/// Pins of the files that lie in `project` and in its folder `requirements`; files for tests,
/// documents and tools are left out, as are files that cannot be read.
std::vector<Pin> read_pins(const std::filesystem::path& project);

/// A machine as a requirement or lock file describes it: what is pinned to one version.
Environment describe(const std::vector<Pin>& pins, bool is_complete);

// What the formats share.

/// `torch[extra]>=2.0,<2.3  # why`. Nothing for options, links, and lines with a marker (`;
/// python_version < "3.9"`), which hold on some machines only.
std::optional<Pin> read_requirement(std::string_view line);
/// Line, from 1, of the first occurrence of `part`; 0 when it does not occur.
std::uint32_t line_of(std::string_view text, std::string_view part);
/// Pins of an array of requirement texts, placed by where each text stands in the file.
void add_requirements(const Json& list, std::string_view text, const std::string& file,
                      std::vector<Pin>& pins);
/// One pin if the range can be understood.
void add_pin(std::string_view name, std::string_view range, Place place, std::vector<Pin>& pins);

}  // namespace godwit::doctor
