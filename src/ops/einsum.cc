// Parsing of equations, held against the ranks of the operands.
#include "ops/einsum.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace godwit::ops {
namespace {

constexpr std::string_view kDots = "...";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Labels of one term, whose ellipsis stands for so many axes; nothing when it is malformed.
std::optional<Labels> read_term(std::string_view term, std::size_t dotted) {
  Labels out;
  bool has_dots = false;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (is_letter(term[i])) {
      out.push_back(term[i]);
      continue;
    }
    if (has_dots || term.substr(i, kDots.size()) != kDots) return std::nullopt;
    has_dots = true;
    i += kDots.size() - 1;
    for (std::size_t axis = dotted; axis-- > 0;) out.push_back(kEllipsis + static_cast<int>(axis));
  }
  return out;
}

Labels implied_output(const std::vector<Labels>& operands, std::size_t dotted) {
  std::map<Label, int> uses;
  for (const Labels& labels : operands) {
    for (const Label label : labels) ++uses[label];
  }
  Labels out;
  for (std::size_t axis = dotted; axis-- > 0;) out.push_back(kEllipsis + static_cast<int>(axis));
  for (const auto& [label, count] : uses) {
    if (count == 1 && label < kEllipsis) out.push_back(label);
  }
  return out;
}

// Every label of the output stands once and in some operand.
bool is_sound(const Equation& equation) {
  for (const Label label : equation.output) {
    if (std::count(equation.output.begin(), equation.output.end(), label) != 1) return false;
    const auto has_label = [&](const Labels& labels) {
      return std::find(labels.begin(), labels.end(), label) != labels.end();
    };
    if (std::none_of(equation.operands.begin(), equation.operands.end(), has_label)) return false;
  }
  return true;
}

}  // namespace

Result<Equation> read_equation(const Site& site, const std::vector<std::size_t>& ranks) {
  const std::string text = replace_all(site.text("equation"), " ", "");
  const auto refuse = [&] {
    return site.refuse("equation", {{"equation", to_valid_utf8(site.text("equation"))}});
  };
  const std::size_t arrow = text.find("->");
  const std::vector<std::string_view> terms = split(std::string_view(text).substr(0, arrow), ',');
  if (terms.size() != ranks.size()) return refuse();
  Equation out;
  std::size_t most_dotted = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto letters =
        static_cast<std::size_t>(std::count_if(terms[i].begin(), terms[i].end(), is_letter));
    if (letters > ranks[i]) return refuse();
    const std::size_t dotted = contains(terms[i], kDots) ? ranks[i] - letters : 0;
    std::optional<Labels> labels = read_term(terms[i], dotted);
    if (!labels || labels->size() != ranks[i]) return refuse();
    most_dotted = std::max(most_dotted, dotted);
    out.operands.push_back(*std::move(labels));
  }
  if (arrow == std::string::npos) {
    out.output = implied_output(out.operands, most_dotted);
  } else {
    const auto labels = read_term(std::string_view(text).substr(arrow + 2), most_dotted);
    if (!labels) return refuse();
    out.output = *labels;
  }
  if (!is_sound(out)) return refuse();
  return out;
}

}  // namespace godwit::ops
