// Opens a project in stages: what needs only one file runs on all cores, what joins files is short.
#include "project/project.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/file.h"
#include "base/parallel.h"
#include "base/text.h"
#include "project/program.h"
#include "project/uses.h"

namespace godwit::project {
namespace {

using Modules = std::vector<std::unique_ptr<Module::Data>>;

constexpr std::size_t kMostGiven = 8;  // distinct values of one parameter that are kept

std::string dotted_of(const File& file) {
  std::string_view path = file.path;
  if (path.ends_with(".py")) path.remove_suffix(3);
  std::string dotted = replace_all(path, "/", ".");
  if (dotted.ends_with(".__init__")) dotted.resize(dotted.size() - 9);
  return dotted;
}

Result<std::unique_ptr<Module::Data>> read_module(const Listing& listing, const File& file) {
  ASSIGN(std::string bytes, read_file(listing.root / file.path));
  auto data = std::make_unique<Module::Data>();
  data->file = file;
  data->dotted = dotted_of(file);
  data->is_package = file.path == "__init__.py" || file.path.ends_with("/__init__.py");
  if (file.kind == FileKind::kNotebook) {
    ASSIGN(data->notebook, read_notebook(file.path, bytes));
    bytes = std::move(data->notebook.text);
  }
  const std::size_t size = bytes.size();
  ASSIGN(data->source, syntax::Source::make(file.path, std::move(bytes)));
  data->tree = syntax::Tree::parse_python(data->source);
  if (!data->tree.is_complete()) {
    return fail("E066", {.file = file.path},
                {{"path", file.path},
                 {"bytes", with_thousands(size)},
                 {"seconds", std::to_string(syntax::parse_patience_seconds(size))}});
  }
  data->bindings = bind(data->tree, data->names);
  return data;
}

void read_modules(Project& project, Modules& modules, Progress* progress) {
  std::vector<const File*> files;
  for (const File& file : project.listing.files) {
    if (file.kind == FileKind::kPython || file.kind == FileKind::kNotebook) files.push_back(&file);
  }
  // Large files first, so that no core ends up alone with one.
  std::vector<std::size_t> order(files.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return files[a]->bytes > files[b]->bytes; });
  std::vector<std::unique_ptr<Module::Data>> read(files.size());
  std::vector<std::optional<Error>> errors(files.size());
  parallel_for(order.size(), [&](std::size_t i, std::size_t) {
    const std::size_t index = order[i];
    auto module = read_module(project.listing, *files[index]);
    if (module) {
      read[index] = *std::move(module);
    } else {
      errors[index] = std::move(module).error();
    }
    if (progress != nullptr) progress->advance();
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (read[i]) modules.push_back(std::move(read[i]));
    if (errors[i]) {
      errors[i]->place.file = files[i]->path;
      project.unreadable.push_back(*std::move(errors[i]));
    }
  }
}

// --- one after the other: numbers of the program grow here

/// What others may ask of a module, in its own numbers: scope or binding, and value.
struct Answers {
  IndexedValues returns{}, variables{}, attributes{};
  std::vector<Given> given{};
};

Answers answer(Module::Data& data) {
  Answers answers;
  Evaluator& evaluator = *data.evaluator;
  const Bindings& all = data.bindings;
  evaluator.forget();
  answers.given = find_call_sites(evaluator);
  for (ScopeId id = 1; id < all.scopes.size(); ++id) {
    if (all.scopes[id].kind != Scope::Kind::kFunction) continue;
    const Value value = evaluator.returns(id);
    if (value.is_known()) answers.returns.emplace_back(id, value);
  }
  for (std::uint32_t i = 0; i < all.bindings.size(); ++i) {
    const Binding& binding = all.bindings[i];
    const Scope::Kind kind = all.scopes[binding.scope].kind;
    const bool is_shared = kind == Scope::Kind::kModule || kind == Scope::Kind::kClass;
    const bool is_variable = binding.kind != BindingKind::kImport &&
                             binding.kind != BindingKind::kFunction &&
                             binding.kind != BindingKind::kClass;
    if (!is_shared || !is_variable) continue;
    const Value value = evaluator.variable(all.last.find(binding.scope, binding.name));
    if (value.is_known()) answers.variables.emplace_back(i, value);
  }
  for (std::uint32_t i = 0; i < all.attributes.size(); ++i) {
    const AttributeBinding& bound = all.attributes[i];
    const Value value =
        evaluator.attribute_binding(all.last_attribute.find(bound.scope, bound.name));
    if (value.is_known()) answers.attributes.emplace_back(i, value);
  }
  return answers;
}

void give(Program& program, const Given& given, Value value) {
  const Module::Data& owner = *program.modules[given.function.module];
  const ScopeInfo& info = owner.bindings.infos[given.function.index];
  auto& parameters = program.summaries[given.function.module].parameters;
  for (std::uint32_t i = 0; i < info.parameter_count; ++i) {
    if (given.position != kNoIndex &&
        owner.bindings.bindings[info.first_parameter + i].detail != given.position) {
      continue;
    }
    auto& values = parameters[info.first_parameter + i];
    const bool is_new =
        std::none_of(values.begin(), values.end(), [&](Value old) { return old.same(value); });
    if (!is_new) continue;
    values.push_back(values.size() < kMostGiven ? value : kUnknownValue);
  }
}

class Opening {
 public:
  Opening(Modules& modules, std::shared_ptr<Program> program)
      : modules_(modules), program_(std::move(program)) {}

  void run() {
    link();
    find_bases();
    // What a module learns of another comes from the round before, so the order of files is free.
    exchange();
    exchange();
    each([](Module::Data& data) {
      data.evaluator->forget();
      data.uses = find_uses(*data.evaluator);
    });
  }

 private:
  template <class Work>
  void each(Work work) {
    parallel_for(modules_.size(), [&](std::size_t i, std::size_t) { work(*modules_[i]); });
  }

  void link() {
    for (std::uint32_t i = 0; i < modules_.size(); ++i) {
      modules_[i]->index = i;
      program_->modules.push_back(modules_[i].get());
    }
    program_->link();
    each([&](Module::Data& data) {
      data.program = program_;
      auto& imports = data.bindings.imports;
      for (std::size_t i = 0; i < imports.size(); ++i) {
        const std::string& target = program_->import_targets[data.index][i];
        imports[i].target = data.names.add_copy(program_->canonical(target));
      }
      data.evaluator = std::make_unique<Evaluator>(data, *program_);
    });
  }

  void find_bases() {
    std::vector<std::vector<std::vector<NameId>>> bases(modules_.size());
    each([&](Module::Data& data) { bases[data.index] = data.evaluator->bases(); });
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      for (auto& of_class : bases[i]) {
        for (NameId& base : of_class) base = program_->names.add_copy(modules_[i]->names[base]);
      }
      program_->summaries[i].bases = std::move(bases[i]);
    }
    each([](Module::Data& data) { data.evaluator->know_bases(); });
  }

  void exchange() {
    std::vector<Answers> answers(modules_.size());
    each([&](Module::Data& data) { answers[data.index] = answer(data); });
    for (const auto& data : modules_) {
      Summary& summary = program_->summaries[data->index];
      const auto set = [&](IndexedValues& values, IndexedValues& found) {
        for (auto& [index, value] : found) value = data->evaluator->to_program(value, *program_);
        values = std::move(found);
      };
      set(summary.returns, answers[data->index].returns);
      set(summary.variables, answers[data->index].variables);
      set(summary.attributes, answers[data->index].attributes);
      summary.parameters.clear();
    }
    for (const auto& data : modules_) {
      for (const Given& one : answers[data->index].given) {
        give(*program_, one, data->evaluator->to_program(one.value, *program_));
      }
    }
  }

  Modules& modules_;
  std::shared_ptr<Program> program_;
};

}  // namespace

Result<Project> open_project(const std::filesystem::path& root, const OpenOptions& options) {
  Project project;
  ASSIGN(project.listing, list_files(root, options.list));
  Modules modules;
  read_modules(project, modules, options.progress);
  auto program = std::make_shared<Program>();
  std::error_code ignored;
  program->root_name =
      std::filesystem::canonical(project.listing.root, ignored).filename().string();
  Opening(modules, std::move(program)).run();
  for (auto& data : modules) project.modules.emplace_back(std::move(data));
  for (std::uint32_t i = 0; i < project.modules.size(); ++i)
    project.by_dotted.emplace(project.modules[i].dotted(), i);
  return project;
}

const Module* Project::find(std::string_view dotted) const {
  const auto found = by_dotted.find(dotted);
  return found == by_dotted.end() ? nullptr : &modules[found->second];
}

}  // namespace godwit::project
