// Operands are taken in one after another, each label summed as soon as nobody needs it any more,
// as the evaluation does; labels that both sides have and the result does not become the inner axis
// of a MatMul.
#include "ops/expand_einsum.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "ops/einsum.h"
#include "ops/term.h"

namespace godwit::ops {
namespace {

bool has(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}
std::size_t place(const Labels& labels, Label label) {
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

/// Those of `labels` that `test` takes.
template <class Test>
Labels those(const Labels& labels, Test&& test) {
  Labels out;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(out), test);
  return out;
}

Labels operator+(Labels a, const Labels& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A value whose axes have labels.
struct Operand {
  Labels labels;
  Term term;
};

class Contraction {
 public:
  Contraction(Expansion& e, Equation equation) : e_(e), equation_(std::move(equation)) {}

  Result<Term> run() {
    ASSIGN(Operand so_far, operand(0, {}));
    for (std::size_t i = 1; i < equation_.operands.size(); ++i) {
      ASSIGN(const Operand next, operand(i, so_far.labels));
      so_far = product(so_far, next, i + 1);
    }
    so_far = summed(so_far, equation_.output);
    return laid_out(so_far, equation_.output);
  }

 private:
  bool is_needed(Label label, std::size_t next) const {
    return has(equation_.output, label) ||
           std::any_of(equation_.operands.begin() + static_cast<std::ptrdiff_t>(next),
                       equation_.operands.end(),
                       [label](const Labels& labels) { return has(labels, label); });
  }

  // Operand `i`, each label once, without those that neither `before` nor anybody behind it has.
  Result<Operand> operand(std::size_t i, const Labels& before) {
    ASSIGN(const Term x, term(e_, i));
    Operand out{equation_.operands[i], x};
    for (std::size_t axis = out.labels.size(); axis-- > 0;) {
      const std::size_t first = place(out.labels, out.labels[axis]);
      if (first != axis) out = diagonal(out, first, axis);
    }
    const Labels kept = those(
        out.labels, [&](Label label) { return has(before, label) || is_needed(label, i + 1); });
    return summed(out, kept);
  }

  // Two axes of one label: zeros beside the diagonal, then the second is summed.
  Operand diagonal(const Operand& x, std::size_t first, std::size_t second) {
    const auto along = [&](std::size_t axis) {
      Ints others(x.labels.size());
      std::iota(others.begin(), others.end(), 0);
      std::erase(others, static_cast<std::int64_t>(axis));
      return places(e_, x.term, static_cast<std::int64_t>(axis)).unsqueezed(others);
    };
    const Term is_there = along(first).against("Equal", along(second));
    Operand out{x.labels, is_there.choose(x.term, x.term.number(0))};
    out.labels[second] = kGone;
    return summed(out, those(out.labels, [](Label label) { return label != kGone; }));
  }

  Operand summed(const Operand& x, const Labels& kept) {
    Ints axes;
    for (std::size_t axis = 0; axis < x.labels.size(); ++axis) {
      if (!has(kept, x.labels[axis])) axes.push_back(static_cast<std::int64_t>(axis));
    }
    if (axes.empty()) return x;
    return {those(x.labels, [&](Label label) { return has(kept, label); }),
            x.term.then("ReduceSum", {e_.indices(axes)}, {{"keepdims", std::int64_t{0}}})};
  }

  // The axes in this order; one of a single row for a label that the operand does not have.
  Term laid_out(const Operand& x, const Labels& order) {
    Ints from, missing;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (has(x.labels, order[i]))
        from.push_back(static_cast<std::int64_t>(place(x.labels, order[i])));
      else
        missing.push_back(static_cast<std::int64_t>(i));
    }
    Term out = x.term;
    if (!std::is_sorted(from.begin(), from.end())) out = out.transposed(from);
    return missing.empty() ? out : out.unsqueezed(missing);
  }

  Operand product(const Operand& a, const Operand& b, std::size_t next) {
    const auto kept = [&](Label label) { return is_needed(label, next); };
    const auto shared = [&](Label label) { return has(a.labels, label) && has(b.labels, label); };
    const Labels sums = those(a.labels, [&](Label l) { return shared(l) && !kept(l); });
    const Labels batch = those(a.labels, [&](Label l) { return shared(l) && kept(l); });
    const Labels left = those(a.labels, [&](Label l) { return !shared(l); });
    const Labels right = those(b.labels, [&](Label l) { return !shared(l); });
    const bool stretches = std::any_of(sums.begin(), sums.end(),
                                       [&](Label label) { return is_stretched(a, b, label); });
    if (sums.empty() || stretches) {
      const Labels order = batch + left + right + sums;
      return summed({order, laid_out(a, order) * laid_out(b, order)}, batch + left + right);
    }
    Term x = joined(laid_out(a, batch + left + sums), batch.size() + left.size(), sums.size());
    x = joined(x, batch.size(), left.size());
    Term y = joined(laid_out(b, batch + sums + right), batch.size(), sums.size());
    y = joined(y, batch.size() + 1, right.size());
    Term made = x.then("MatMul", {y});
    if (left.size() != 1 || right.size() != 1) {
      std::vector<ValueId> sizes;
      for (std::size_t i = 0; i < batch.size(); ++i) sizes.push_back(size(made, i));
      for (const Label label : left) sizes.push_back(size(a.term, place(a.labels, label)));
      for (const Label label : right) sizes.push_back(size(b.term, place(b.labels, label)));
      made = made.reshaped(sizes.empty() ? e_.indices({}) : e_.join(std::move(sizes)));
    }
    return {batch + left + right, made};
  }

  // Whether one side has a single row for a label and the other more: it stands for each of them.
  bool is_stretched(const Operand& a, const Operand& b, Label label) const {
    const Dim x = dim(a.term, place(a.labels, label)), y = dim(b.term, place(b.labels, label));
    return x != y && ((x.is_known() && x.value() == 1) || (y.is_known() && y.value() == 1));
  }

  // `count` axes from `first` on as one; of none, one of a single row.
  Term joined(const Term& x, std::size_t first, std::size_t count) {
    if (count == 1) return x;
    if (count == 0) return x.unsqueezed({static_cast<std::int64_t>(first)});
    const std::size_t rank = e_.type_of(x).shape->size();
    Dim all = 1;
    for (std::size_t i = first; i < first + count; ++i) all = all * dim(x, i);
    std::vector<ValueId> sizes;
    for (std::size_t i = 0; i < first; ++i) sizes.push_back(size(x, i));
    sizes.push_back(e_.indices({all.is_known() ? all.value() : -1}));
    for (std::size_t i = first + count; i < rank; ++i) sizes.push_back(size(x, i));
    return x.reshaped(e_.join(std::move(sizes)));
  }

  Dim dim(const Term& x, std::size_t axis) const { return (*e_.type_of(x).shape)[axis]; }
  ValueId size(const Term& x, std::size_t axis) {
    return e_.size(x, static_cast<std::int64_t>(axis));
  }

  static constexpr Label kGone = -1;

  Expansion& e_;
  Equation equation_;
};

}  // namespace

Status expand_einsum(Expansion& e) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < e.inputs(); ++i) {
    ASSIGN(const std::size_t rank, e.known_rank(i));
    ranks.push_back(rank);
  }
  ASSIGN(Equation equation, read_equation(e, ranks));
  ASSIGN(const Term made, Contraction(e, std::move(equation)).run());
  e.set_output(0, made);
  return {};
}

}  // namespace godwit::ops
