// The inside of a Module: text, tree, bindings, uses, and what its evaluator remembers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "project/bindings.h"
#include "project/module.h"
#include "project/names.h"
#include "project/notebook.h"

namespace godwit::project {

struct Program;
class Evaluator;

struct Module::Data {
  Data();
  ~Data();

  File file;
  syntax::Source source;
  Notebook notebook;  // no cells for a plain file
  syntax::Tree tree;
  Names names;
  Bindings bindings;
  std::vector<Use> uses;
  std::string dotted;
  bool is_package = false;  // an __init__.py
  std::uint32_t index = 0;  // in the program
  std::shared_ptr<const Program> program;
  std::unique_ptr<Evaluator> evaluator;
};

}  // namespace godwit::project
