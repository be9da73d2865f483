// From the imports of a project to the folders that Python looks into: a module imported as a.b.c
// lies three names below one.
#include "port/helper_places.h"

#include "base/file.h"
#include "base/resources.h"
#include "base/text.h"

namespace godwit::port {
namespace {

std::string_view name_of(Helper helper) {
  switch (helper) {
    case Helper::kAmp: return "godwit_amp";
    case Helper::kParallel: return "godwit_parallel";
    default: return "godwit_device";
  }
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string below(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : format("{}/{}", folder, name);
}

// The name as an import statement has it; empty for a relative one.
std::string_view written(const Subject& subject, const project::Import& import) {
  const NodeIndex source = subject.tree().child(import.statement, Field::kModuleName);
  if (source != kNoNode) {
    const std::string_view text = subject.text(source);
    return text.starts_with('.') ? std::string_view() : text;
  }
  if (import.node == kNoNode) return {};
  const NodeIndex name = subject.tree().child(import.node, Field::kName);
  return subject.text(name == kNoNode ? import.node : name);
}

}  // namespace

std::string HelperPlace::import_as(std::string_view alias) const {
  const std::string as = alias.empty() || alias == name ? std::string() : format(" as {}", alias);
  return package.empty() ? format("import {}{}", name, as)
                         : format("from {} import {}{}", package, name, as);
}

HelperPlaces::HelperPlaces(const project::Project& project, const std::vector<Subject>& subjects)
    : project_(project) {
  for (const project::File& file : project.listing.files) {
    files_.insert(file.path);
    if (!contains(file.path, "godwit_") || !file.path.ends_with(".py")) continue;
    const auto text = read_file(project.listing.root / file.path);
    if (text && is_helper_text(*text)) own_.insert(file.path);
  }
  for (const Subject& subject : subjects) {
    for (const project::Import& import : subject.module().imports()) {
      const std::string_view text = written(subject, import);
      const std::string_view target = subject.module().name(import.target);
      if (text.empty()) continue;
      // "gan.models.net.Net" imported as `from models.net import Net`: the folder is "gan".
      for (std::string_view module = target; !module.empty();
           module = module.substr(
               0, module.rfind('.') == std::string_view::npos ? 0 : module.rfind('.'))) {
        const project::Module* const found = project.find(module);
        if (!found || !module.ends_with(text)) continue;
        std::string folder(module.substr(0, module.size() - text.size()));
        if (folder.ends_with('.')) folder.pop_back();
        roots_.emplace(module, replace_all(folder, ".", "/"));
        break;
      }
    }
  }
}

// The folder that Python looks into for the module: as others import it, else as its packages say.
std::string HelperPlaces::root_of(const Subject& subject) const {
  const std::string_view dotted = subject.module().dotted();
  if (const auto known = roots_.find(dotted); known != roots_.end()) return known->second;
  std::string_view folder = folder_of(subject.module().file().path);
  while (!folder.empty() && files_.contains(below(folder, "__init__.py")))
    folder = folder_of(folder);
  return std::string(folder);
}

HelperPlace HelperPlaces::place(const Subject& subject, Helper helper) const {
  const std::string root = root_of(subject);
  const std::string& path = subject.module().file().path;
  std::string_view inside(path);
  if (!root.empty() && inside.starts_with(root)) inside.remove_prefix(root.size() + 1);
  std::string package(inside.substr(0, std::min(inside.find('/'), inside.size())));
  const auto is_package = [&](std::string_view name) {
    return files_.contains(below(below(root, name), "__init__.py"));
  };
  if (!is_package(package)) {
    package.clear();
    for (const project::Import& import : subject.module().imports()) {
      const std::string_view text = written(subject, import);
      const std::string_view first = text.substr(0, text.find('.'));
      if (!first.empty() && is_package(first)) package = first;
    }
  }
  HelperPlace place{.package = package, .name = std::string(name_of(helper))};
  const std::string folder = package.empty() ? root : below(root, package);
  for (int number = 2;; ++number) {
    place.path = below(folder, place.name + ".py");
    if (!files_.contains(place.path) || own_.contains(place.path)) return place;
    place.name = format("{}_{}", name_of(helper), number);
  }
}

bool is_helper_text(std::string_view text) {
  const std::string_view head = text.substr(0, 400);
  return contains(head, "Written by godwit port.") || contains(head, "Written by `godwit port");
}

Result<std::string> helper_text(Helper helper) {
  return resource(format("port/helpers/{}.py", name_of(helper)));
}

}  // namespace godwit::port
