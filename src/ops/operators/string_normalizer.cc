// Drops stop words and changes the case of what is left.
#include <algorithm>

#include "base/text.h"
#include "ops/call.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/letter_case.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0) && n.shape(0)->size() == 1) shape = Shape{Dim::unknown()};
  if (n.shape(0) && n.shape(0)->size() == 2) shape = Shape{1, Dim::unknown()};
  n.set(0, ElementType::kString, std::move(shape));
  return {};
}

Result<std::string> in_case(const Site& site, const std::string& text, LetterCase wanted) {
  std::optional<std::string> out = to_case(text, wanted);
  if (!out) return site.refuse("text", {{"value", to_valid_utf8(text)}});
  return *std::move(out);
}

Result<std::vector<std::string>> without_stop_words(const Call& call) {
  const bool folds = !call.flag("is_case_sensitive");
  std::vector<std::string> stops = call.texts("stopwords"), out;
  for (std::string& stop : stops) {
    if (!folds) break;
    ASSIGN(stop, in_case(call, stop, LetterCase::kLower));
  }
  for (const std::string& word : call.values<std::string>(0)) {
    std::string compared = word;
    if (folds && !stops.empty()) {
      ASSIGN(compared, in_case(call, word, LetterCase::kLower));
    }
    if (std::find(stops.begin(), stops.end(), compared) == stops.end()) out.push_back(word);
  }
  return out;
}

Status evaluate(Call& call) {
  const Sizes& dims = call.input(0).dims();
  const std::string_view action = call.text("case_change_action");
  if (action != "LOWER" && action != "UPPER" && action != "NONE")
    return refuse_attribute(call, "case_change_action");
  if (dims.size() != 1 && (dims.size() != 2 || dims[0] != 1))
    return refuse_shapes(call, dims, {1, -1});
  ASSIGN(std::vector<std::string> words, without_stop_words(call));
  for (std::string& word : words) {
    if (action == "NONE") break;
    ASSIGN(word, in_case(call, word, action == "LOWER" ? LetterCase::kLower : LetterCase::kUpper));
  }
  if (words.empty()) words.emplace_back();
  Sizes out = {static_cast<std::int64_t>(words.size())};
  if (dims.size() == 2) out.insert(out.begin(), 1);
  call.set(0, Tensor::of<std::string>(std::move(out), std::move(words)));
  return {};
}

}  // namespace

extern const Operator string_normalizer = {
    .name = "StringNormalizer",
    .doc = "The strings without stop words, in lower or upper case; one empty string for none.",
    .since = 10,
    .inputs = {{"X", 'T', kString}},
    .outputs = {{"Y", 'T', kString}},
    .attributes = {{"case_change_action", "NONE"},
                   {"is_case_sensitive", 0},
                   {"locale"},
                   {"stopwords"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
