// Types of parameters: what calls in the project hand over, and what bodies do with them.
#include <algorithm>
#include <array>

#include "project/uses.h"

namespace godwit::project {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

namespace {

// Methods that tensors share with arrays of numpy, by its reference.
constexpr std::array<std::string_view, 50> kArrayMembers = {
    "T",         "all",      "any",  "argmax",  "argmin",  "argsort", "byteswap",  "choose",
    "clip",      "compress", "conj", "copy",    "cumprod", "cumsum",  "data",      "diagonal",
    "dot",       "dtype",    "fill", "flat",    "flatten", "imag",    "item",      "itemsize",
    "max",       "mean",     "min",  "nbytes",  "ndim",    "nonzero", "partition", "prod",
    "put",       "ravel",    "real", "repeat",  "reshape", "resize",  "round",     "searchsorted",
    "shape",     "size",     "sort", "squeeze", "std",     "sum",     "swapaxes",  "take",
    "transpose", "view"};

}  // namespace

class CallSites {
 public:
  explicit CallSites(Evaluator& evaluator) : e_(evaluator) {}

  std::vector<Given> run() {
    const auto count = static_cast<NodeIndex>(e_.tree_.nodes().size());
    for (NodeIndex node = 0; node < count; ++node) {
      const Kind kind = e_.at(node).kind;
      if (kind == Kind::kCall) call(node);
      if (kind == Kind::kIdentifier || kind == Kind::kAttribute) escape(node, kind);
      if (kind == Kind::kAttribute) tensor_method(node);
    }
    return std::move(given_);
  }

 private:
  struct Callee {
    const Symbol* function = nullptr;
    bool is_bound = false;  // the first parameter is filled already
  };

  Callee callee(NodeIndex node, Value value) {
    const Symbol* const found = value.is(Tag::kName) ? e_.symbol(value.id) : nullptr;
    if (value.is(Tag::kInstance)) {
      const bool is_module = e_.is_module_class(value.id);
      return {function_of(value.id, is_module ? "forward" : "__call__"), true};
    }
    if (found == nullptr) return {};
    if (found->kind == SymbolKind::kClass) return {function_of(value.id, "__init__"), true};
    if (found->kind != SymbolKind::kFunction) return {};
    const NodeIndex object = e_.child(e_.child(node, Field::kFunction), Field::kObject);
    if (object == kNoNode) return {found, false};
    const Value receiver = e_.dereference(e_.eval(object));
    const bool by_class = receiver.is(Tag::kName) && !info(*found).is_class_method;
    return {found, !by_class};
  }

  const Symbol* function_of(NameId class_name, std::string_view method) {
    const Member member = e_.member_of_instance(class_name, e_.names_.add_view(method));
    const Symbol* const found = member.name == kNoName ? nullptr : e_.symbol(member.name);
    return found != nullptr && found->kind == SymbolKind::kFunction ? found : nullptr;
  }

  const ScopeInfo& info(const Symbol& function) const {
    return e_.program_.modules[function.module]->bindings.infos[function.index];
  }

  void call(NodeIndex node) {
    const NodeIndex function = e_.child(node, Field::kFunction);
    if (function == kNoNode) return;
    const Value value = e_.dereference(e_.eval(function));
    if (takes_tensor(value)) mark_tensor(e_.argument(node, "input", 0));
    const Callee target = callee(node, value);
    if (target.function == nullptr) return;
    const bool skips = target.is_bound && info(*target.function).self != kNoName;
    hand_over(node, *target.function, skips ? 1 : 0);
  }

  void hand_over(NodeIndex node, const Symbol& function, std::uint32_t position) {
    const NodeIndex list = e_.child(node, Field::kArguments);
    if (list == kNoNode) return;
    for (NodeIndex part = list + 1; part < e_.at(list).past; part = e_.at(part).past) {
      switch (e_.at(part).kind) {
        case Kind::kComment: break;
        case Kind::kListSplat:
        case Kind::kDictSplat: given_.push_back({function, kNoIndex, kUnknownValue}); return;
        case Kind::kKeywordArgument: keyword(part, function); break;
        default: given_.push_back({function, position++, e_.eval(part)}); break;
      }
    }
  }

  void keyword(NodeIndex part, const Symbol& function) {
    const NodeIndex word = e_.child(part, Field::kName);
    if (word == kNoNode) return;
    const Module::Data& owner = *e_.program_.modules[function.module];
    const ScopeInfo& target = info(function);
    for (std::uint32_t i = 0; i < target.parameter_count; ++i) {
      const Binding& bound = owner.bindings.bindings[target.first_parameter + i];
      if (owner.names[bound.name] != e_.tree_.text(word)) continue;
      given_.push_back({function, bound.detail, e_.eval(e_.child(part, Field::kValue))});
    }
  }

  // A function that is handed on as a value is called from where we do not see.
  void escape(NodeIndex node, Kind kind) {
    const auto& self = e_.at(node);
    const Kind parent = e_.at(self.parent).kind;
    if (self.field == Field::kFunction || self.field == Field::kName ||
        self.field == Field::kLeft || self.field == Field::kObject ||
        self.field == Field::kAttribute || self.field == Field::kAlias) {
      return;
    }
    const bool is_value = parent == Kind::kArgumentList || parent == Kind::kKeywordArgument ||
                          parent == Kind::kAssignment || parent == Kind::kPair ||
                          parent == Kind::kList || parent == Kind::kTuple ||
                          parent == Kind::kReturn;
    if (!is_value || (kind == Kind::kIdentifier && parent == Kind::kParameters)) return;
    const Value value = e_.eval(node);
    const Symbol* const found = value.is(Tag::kName) ? e_.symbol(value.id) : nullptr;
    if (found != nullptr && found->kind == SymbolKind::kFunction) {
      given_.push_back({*found, kNoIndex, kUnknownValue});
    }
  }

  // --- tensors by use

  // Layers of torch.nn, torch.nn.functional, and functions of torch that are methods as well: their
  // first argument is a tensor and nothing else.
  bool takes_tensor(Value value) {
    const std::string_view text =
        value.is(Tag::kName) || value.is(Tag::kInstance) ? e_.names_[value.id] : std::string_view();
    if (value.is(Tag::kInstance)) {
      return text.starts_with("torch.nn.") && e_.is_module_class(value.id) &&
             text != "torch.nn.Module" && text != "torch.nn.Sequential" &&
             e_.api(value.id).instance != nullptr;
    }
    if (text.starts_with("torch.nn.functional.")) return true;
    if (!text.starts_with("torch.") || text.find('.', 6) != std::string_view::npos) return false;
    return e_.api(value.id).function != nullptr &&
           lists_api("torch.Tensor." + std::string(text.substr(6)));
  }

  void tensor_method(NodeIndex node) {
    const NodeIndex object = e_.child(node, Field::kObject);
    const NodeIndex word = e_.child(node, Field::kAttribute);
    if (object == kNoNode || word == kNoNode || e_.at(object).kind != Kind::kIdentifier) return;
    const ScopeId scope = e_.scope_of(node);
    if (!is_forward(scope)) return;
    const std::string_view text = e_.tree_.text(word);
    const bool is_shared = std::binary_search(kArrayMembers.begin(), kArrayMembers.end(), text) ||
                           lists_api("torch.nn.Module." + std::string(text));
    if (!is_shared && lists_api("torch.Tensor." + std::string(text)) && text != "device" &&
        text != "split" && text != "index") {
      mark_tensor(object);
    }
  }

  bool is_forward(ScopeId scope) {
    const Bindings& all = e_.bindings_;
    if (all.scopes[scope].kind != Scope::Kind::kFunction || all.infos[scope].self == kNoName)
      return false;
    if (!e_.names_[all.scopes[scope].name].ends_with(".forward")) return false;
    return e_.is_module_class(e_.own_name(all.scopes[scope].parent).id);
  }

  void mark_tensor(NodeIndex node) {
    if (node == kNoNode || e_.at(node).kind != Kind::kIdentifier) return;
    const ScopeId scope = e_.scope_of(node);
    const std::uint32_t last = e_.bindings_.last.find(scope, e_.bindings_.words[node]);
    if (last == kNoIndex) return;
    Evaluator::Reached reached;
    e_.reaching(node, scope, true, last, reached);
    if (reached.count != 1) return;
    const std::uint32_t index = reached.items[0];
    if (e_.bindings_.bindings[index].kind == BindingKind::kParameter)
      e_.tensor_parameters[index] = true;
  }

  Evaluator& e_;
  std::vector<Given> given_;
};

std::vector<Given> find_call_sites(Evaluator& evaluator) { return CallSites(evaluator).run(); }

}  // namespace godwit::project
