// Helpers: the small modules that an edited project may need, where they go, and how each module
// of the project reaches them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "port/changes.h"
#include "port/subject.h"
#include "project/project.h"

namespace godwit::port {

struct HelperPlace {
  std::string path{};     // "tools/godwit_device.py", below the root of the project
  std::string package{};  // "mypkg"; empty when it lies beside the scripts
  std::string name{};     // "godwit_device"
  /// "import godwit_device", "from mypkg import godwit_device as amp"
  std::string import_as(std::string_view alias = {}) const;
};

class HelperPlaces {
 public:
  HelperPlaces(const project::Project& project, const std::vector<Subject>& subjects);

  /// One place per program or package: beside a script, in the topmost folder of a package. A
  /// script that imports such a package shares its helper. A name that is taken gets a number.
  HelperPlace place(const Subject& subject, Helper helper) const;

 private:
  std::string root_of(const Subject& subject) const;

  const project::Project& project_;
  std::map<std::string, std::string, std::less<>> roots_;  // module -> folder it is imported from
  std::set<std::string, std::less<>> files_;
  std::set<std::string, std::less<>> own_;  // files that are helpers of an earlier run
};

/// The file came with an earlier port: nothing of it is ported, and nothing in it says what the
/// values of the project mean.
bool is_helper_text(std::string_view text);

/// The text of the helper. Errors: E001.
Result<std::string> helper_text(Helper helper);

}  // namespace godwit::port
