// Reads numbers of cards in texts, in set_device() and .cuda(), and in the environment.
#include "port/card_choice.h"

#include "base/text.h"
#include "port/python_variables.h"

namespace godwit::port {
namespace {

// "cuda:1", "cuda:%d", the "cuda:" of an f-string: not the first card, or not known which.
bool names_other_card(const Subject& subject, NodeIndex content) {
  const std::string_view text = subject.text(content);
  if (!text.starts_with("cuda:") || text == "cuda:0") return false;
  const std::string_view rest = text.substr(5);
  const bool is_plain = rest.find_first_not_of("0123456789%d{}s") == std::string_view::npos;
  // f"cuda:{local_rank}" is what a distributed program says itself.
  return is_plain && !contains(subject.text(subject[content].parent), "rank");
}

void add_texts(const Subject& subject, std::vector<Doubt>& doubts) {
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kStringContent || !names_other_card(subject, node)) continue;
    if (subject.module().is_docstring(nodes[node].parent)) continue;
    doubts.push_back({&subject, node, "card", std::string(subject.text(nodes[node].parent))});
  }
}

// rank, local_rank: what a program that knows of several processes says itself.
bool is_rank(const Subject& subject, NodeIndex card) {
  return contains(subject.text(card), "rank");
}

void add_variables(const Subject& subject, std::vector<Doubt>& doubts) {
  for (const PythonVariable& variable : python_variables(subject)) {
    const bool chooses =
        variable.name == "CUDA_VISIBLE_DEVICES" || variable.name == "ASCEND_RT_VISIBLE_DEVICES";
    if (!variable.is_set || !chooses) continue;
    doubts.push_back({&subject, variable.literal, "visible", std::string(variable.name)});
  }
}

}  // namespace

CardChoice::CardChoice(const std::vector<Subject>& subjects, Flow& flow) : flow_(flow) {
  for (const Subject& subject : subjects) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kInteger) continue;
      for (const SlotId slot : flow.land(subject, node).slots) {
        if (slot != kNoSlot) numbers_.insert(flow.slots().whole(slot));
      }
    }
  }
}

// set_device(args.gpu), x.cuda(0), x.to(self.gpu_id) where the attribute holds a number.
void CardChoice::add_calls(const Subject& subject, std::vector<Doubt>& doubts) {
  for (const project::Use& use : subject.module().uses()) {
    if (use.call == kNoNode) continue;
    const std::string_view name = subject.module().name(use.name);
    const bool sets = name == "torch.cuda.set_device";
    const bool moves =
        (name.ends_with(".cuda") && !name.starts_with("torch.cuda")) || name.ends_with(".to");
    if (!sets && !moves) continue;
    const NodeIndex card = subject.module().argument(use.call, "device", 0);
    if (card == kNoNode || is_rank(subject, card)) continue;
    const SlotId held = flow_.slots().whole(flow_.slot(subject, card));
    const bool is_number = subject[card].kind == Kind::kInteger || numbers_.contains(held);
    if (sets || is_number)
      doubts.push_back({&subject, use.call, "card", std::string(subject.text(card))});
  }
}

void CardChoice::add_doubts(const Subject& subject, std::vector<Doubt>& doubts) {
  add_texts(subject, doubts);
  add_calls(subject, doubts);
  add_variables(subject, doubts);
}

}  // namespace godwit::port
