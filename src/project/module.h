// Module: one Python file understood: its imports, scopes, and every use of an imported name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "project/files.h"
#include "project/notebook.h"
#include "project/types.h"
#include "syntax/source.h"
#include "syntax/tree.h"

namespace godwit::project {

using NameId = std::uint32_t;   // of one module: Module::name()
using ScopeId = std::uint32_t;  // 0 is the module itself

/// `import torch.nn as nn` binds "nn" to "torch.nn"; `from a import b as c` binds "c" to "a.b".
struct Import {
  NameId bound = 0;   // the name in this file
  NameId target = 0;  // fully qualified; relative imports are resolved to the project
  syntax::NodeIndex statement = syntax::kNoNode;
  syntax::NodeIndex node = syntax::kNoNode;  // the aliased or dotted name
  ScopeId scope = 0;
  bool is_star = false;
  bool is_guarded = false;  // inside try/except ImportError or an `if`
};

struct Scope {
  enum class Kind : std::uint8_t { kModule, kClass, kFunction, kLambda, kComprehension };
  Kind kind = Kind::kModule;
  syntax::NodeIndex node = 0;
  ScopeId parent = 0;
  NameId name = 0;  // qualified inside the file: "Trainer.step"
};

enum class UseKind : std::uint8_t {
  kReference,  // torch.float16
  kCall,       // torch.zeros(3)
  kDecorator,  // @torch.no_grad()
  kBase,       // class Net(nn.Module)
  kAssigned,   // torch.backends.cudnn.benchmark = True
};

/// How the name of a use is known.
enum class Proof : std::uint8_t {
  kImport,   // the root of the dotted name is bound by an import and by nothing else in reach
  kType,     // the receiver's type follows from an assignment, annotation or constructor
  kRebound,  // the root is an import, but is also bound otherwise in reach: not certain
  kUnknown,  // a method of something unknown: the name is ".method"
};

/// One use of an outside name. For `x.cuda()` with x a known tensor the name is
/// "torch.Tensor.cuda"; with x an nn.Module "torch.nn.Module.cuda"; unknown: ".cuda".
struct Use {
  NameId name = 0;
  UseKind kind = UseKind::kReference;
  Proof proof = Proof::kImport;
  ScopeId scope = 0;
  syntax::NodeIndex node = syntax::kNoNode;  // the whole dotted name as written
  syntax::NodeIndex call = syntax::kNoNode;  // the call whose function it is, or kNoNode
};

struct Argument {
  std::string_view keyword;  // empty for a positional one
  syntax::NodeIndex value = syntax::kNoNode;
  bool is_starred = false;  // *args, **kwargs
};

class Module {
 public:
  const File& file() const;
  const syntax::Source& source() const;
  const syntax::Tree& tree() const;
  std::string_view dotted() const;  // "models.net" for models/net.py
  bool is_entry_script() const;     // has `if __name__ == "__main__"` or a shebang
  /// The way from the text of the cells back into the file; no cells for a plain file.
  const Notebook& notebook() const;
  /// Cell of a notebook that the byte offset lies in (from 0), or -1 for a plain file.
  int cell(std::uint32_t offset) const;
  /// Line inside that cell, from 1; of a plain file the line itself.
  std::uint32_t line_in_cell(std::uint32_t offset) const;

  std::span<const Import> imports() const;
  std::span<const Scope> scopes() const;
  std::span<const Use> uses() const;  // in source order
  std::span<const std::string_view> names() const;
  std::string_view name(NameId id) const;
  ScopeId scope_of(syntax::NodeIndex node) const;  // in which a node's names are looked up

  /// Arguments of a call node, in order.
  std::vector<Argument> arguments(syntax::NodeIndex call) const;
  /// The argument by keyword, or by position (from 0) when given so; kNoNode when absent.
  syntax::NodeIndex argument(syntax::NodeIndex call, std::string_view keyword,
                             int position = -1) const;
  /// Text of a plain string literal (no f-string, no concatenation), without quotes or prefix.
  std::optional<std::string_view> literal(syntax::NodeIndex node) const;
  /// Qualified name of any expression node when it is a dotted name that resolves; else empty.
  std::string_view resolve(syntax::NodeIndex node) const;
  /// A string that stands as a statement of its own.
  bool is_docstring(syntax::NodeIndex string) const;
  /// Type of an expression, found when first asked for. One thread per module at a time.
  Type type_of(syntax::NodeIndex node) const;
  /// Qualified class of an expression that is an instance ("torch.nn.Conv2d"); else empty.
  std::string_view class_of(syntax::NodeIndex node) const;
  /// File, line and column of a node; in a notebook the line counts inside its cell and `byte` is
  /// the offset in the .ipynb file.
  Place place(syntax::NodeIndex node) const;
  Place place_of(std::uint32_t offset) const;

  struct Data;
  explicit Module(std::unique_ptr<Data> data);
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;
  ~Module();

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace godwit::project
