// Canonical integer expressions: sums of coefficient times atoms, each kept once per process.
#include "ir/dim.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "base/text.h"
#include "ir/symbols.h"

namespace godwit::ir {
namespace {

// What a product multiplies: a symbol, or an operation on two dims that is no polynomial.
struct Atom {
  enum class Kind : std::uint8_t { kSymbol, kUnknown, kFloorDiv, kMax } kind = Kind::kSymbol;
  std::string name{};
  Dim a{}, b{};
  std::size_t parts = 1;  // as written: operands count wherever they stand
};

// coefficient * atoms[0] * atoms[1] …, atoms sorted; no atoms: the constant.
struct Term {
  std::vector<std::uint32_t> atoms{};
  std::int64_t coefficient = 0;
  bool operator==(const Term&) const = default;
};
using Sum = std::vector<Term>;  // sorted by atoms, no coefficient 0

constexpr std::size_t kMostTerms = 16;  // longer expressions help nobody and can grow without end
// Showing and evaluating walk an expression as it is written, which doubles with every operation on
// two dims that share an operand. No more than this keeps sums of sizes far from an overflow.
constexpr std::size_t kMostParts = 256;

bool before(const Term& a, const Term& b) {
  return a.atoms.size() != b.atoms.size() ? a.atoms.size() > b.atoms.size() : a.atoms < b.atoms;
}

}  // namespace

// The table behind all dims of the process.
struct Expressions {
  static Expressions& get() {
    static Expressions table;
    return table;
  }

  std::mutex lock;
  std::vector<Atom> atoms;
  std::vector<Sum> sums{Sum{}};  // 0 stands for plain numbers
  std::map<std::string, std::uint32_t, std::less<>> keys;

  Sum sum_of(Dim dim) {
    if (!dim.is_known()) return sums[dim.expression_];
    if (dim.value_ == 0) return {};
    return {Term{{}, dim.value_}};
  }

  std::size_t parts(const Sum& sum) const {
    std::size_t out = 0;
    for (const Term& term : sum) {
      out += term.atoms.empty() || term.coefficient != 1;
      for (const std::uint32_t atom : term.atoms) out += atoms[atom].parts;
    }
    return out;
  }

  std::size_t parts(Dim dim) const { return dim.is_known() ? 1 : parts(sums[dim.expression_]); }

  Dim intern(Sum sum) {
    if (sum.empty()) return 0;
    if (sum.size() == 1 && sum[0].atoms.empty()) return sum[0].coefficient;
    if (sum.size() > kMostTerms || parts(sum) > kMostParts) return unknown();
    std::string key = "+";
    for (const Term& term : sum) {
      key += format("{}", term.coefficient);
      for (const std::uint32_t atom : term.atoms) key += format("*{}", atom);
      key += ';';
    }
    const auto [at, is_new] = keys.emplace(std::move(key), sums.size());
    if (is_new) sums.push_back(std::move(sum));
    return {0, at->second};
  }

  Dim intern(Atom atom) {
    const bool is_leaf = atom.kind == Atom::Kind::kSymbol || atom.kind == Atom::Kind::kUnknown;
    if (!is_leaf) atom.parts = 1 + parts(atom.a) + parts(atom.b);
    if (atom.parts > kMostParts) return unknown();
    std::string key = format("{}:{}:{}.{}:{}.{}", static_cast<int>(atom.kind), atom.name,
                             atom.a.value_, atom.a.expression_, atom.b.value_, atom.b.expression_);
    const auto [at, is_new] = keys.emplace(std::move(key), atoms.size());
    if (is_new) atoms.push_back(std::move(atom));
    return intern(Sum{Term{{at->second}, 1}});
  }

  Dim unknown() { return intern(Atom{Atom::Kind::kUnknown, format("?{}", atoms.size())}); }

  Dim add(Dim a, Dim b, std::int64_t sign) {
    Sum out = sum_of(a);
    for (Term term : sum_of(b)) {
      if (__builtin_mul_overflow(term.coefficient, sign, &term.coefficient)) return unknown();
      const auto at = std::lower_bound(out.begin(), out.end(), term, before);
      if (at == out.end() || at->atoms != term.atoms) {
        out.insert(at, std::move(term));
        continue;
      }
      if (__builtin_add_overflow(at->coefficient, term.coefficient, &at->coefficient))
        return unknown();
      if (at->coefficient == 0) out.erase(at);
    }
    return intern(std::move(out));
  }

  Dim multiply(Dim a, Dim b) {
    Dim out = 0;
    for (const Term& x : sum_of(a)) {
      for (const Term& y : sum_of(b)) {
        Term product;
        if (__builtin_mul_overflow(x.coefficient, y.coefficient, &product.coefficient))
          return unknown();
        std::merge(x.atoms.begin(), x.atoms.end(), y.atoms.begin(), y.atoms.end(),
                   std::back_inserter(product.atoms));
        if (product.atoms.size() > kMostTerms) return unknown();
        out = add(out, intern(Sum{std::move(product)}), 1);
      }
    }
    return out;
  }

  // (a / b) exactly, when every coefficient of a is a multiple of the number b, or a is b times a
  // single product.
  std::optional<Dim> exact_quotient(Dim a, Dim b) {
    if (a == b) return Dim(1);
    const Sum divisor = sum_of(b);
    if (divisor.size() != 1) return std::nullopt;
    Sum out = sum_of(a);
    for (Term& term : out) {
      if (term.coefficient % divisor[0].coefficient != 0) return std::nullopt;
      term.coefficient /= divisor[0].coefficient;
      for (const std::uint32_t atom : divisor[0].atoms) {
        const auto at = std::find(term.atoms.begin(), term.atoms.end(), atom);
        if (at == term.atoms.end()) return std::nullopt;
        term.atoms.erase(at);
      }
    }
    std::sort(out.begin(), out.end(), before);
    return intern(std::move(out));
  }

  Dim floor_divide(Dim a, Dim b) {
    if (b.is(0)) return unknown();
    if (b.is(1)) return a;
    if (a.is_known() && b.is_known()) {
      if (b.value_ == -1) return add(0, a, -1);
      return a.value_ / b.value_ -
             ((a.value_ % b.value_ != 0) && ((a.value_ < 0) != (b.value_ < 0)));
    }
    if (const std::optional<Dim> exact = exact_quotient(a, b)) return *exact;
    return intern(Atom{Atom::Kind::kFloorDiv, {}, a, b});
  }

  std::optional<std::int64_t> evaluate(
      Dim dim, const std::vector<std::pair<std::string, std::int64_t>>& values) {
    if (dim.is_known()) return dim.value_;
    std::int64_t total = 0;
    for (const Term& term : sum_of(dim)) {
      std::int64_t product = term.coefficient;
      for (const std::uint32_t atom : term.atoms) {
        const std::optional<std::int64_t> factor = evaluate(atoms[atom], values);
        if (!factor || __builtin_mul_overflow(product, *factor, &product)) return std::nullopt;
      }
      if (__builtin_add_overflow(total, product, &total)) return std::nullopt;
    }
    return total;
  }

  std::optional<std::int64_t> evaluate(
      Atom atom, const std::vector<std::pair<std::string, std::int64_t>>& values) {
    if (atom.kind == Atom::Kind::kUnknown) return std::nullopt;
    if (atom.kind == Atom::Kind::kSymbol) {
      for (const auto& [name, value] : values) {
        if (name == atom.name) return value;
      }
      return std::nullopt;
    }
    const std::optional<std::int64_t> a = evaluate(atom.a, values), b = evaluate(atom.b, values);
    if (!a || !b) return std::nullopt;
    if (atom.kind == Atom::Kind::kMax) return std::max(*a, *b);
    const Dim quotient = floor_divide(*a, *b);
    return quotient.is_known() ? std::optional(quotient.value_) : std::nullopt;
  }

  void add_symbols(Dim dim, std::vector<std::string>& out) const {
    if (dim.is_known()) return;
    for (const Term& term : sums[dim.expression_]) {
      for (const std::uint32_t index : term.atoms) {
        const Atom& atom = atoms[index];
        if (atom.kind == Atom::Kind::kSymbol) out.push_back(atom.name);
        add_symbols(atom.a, out);
        add_symbols(atom.b, out);
      }
    }
  }

  bool hangs_on_unknown(Dim dim) const {
    if (dim.is_known()) return false;
    for (const Term& term : sums[dim.expression_]) {
      for (const std::uint32_t index : term.atoms) {
        const Atom& atom = atoms[index];
        if (atom.kind == Atom::Kind::kUnknown || hangs_on_unknown(atom.a) ||
            hangs_on_unknown(atom.b))
          return true;
      }
    }
    return false;
  }

  std::string show(Dim dim) {
    if (dim.is_known()) return format("{}", dim.value_);
    std::string out;
    for (const Term& term : sum_of(dim)) {
      std::string product;
      for (const std::uint32_t atom : term.atoms) {
        product += (product.empty() ? "" : "*") + show(atoms[atom]);
      }
      const bool negative = term.coefficient < 0;
      const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(term.coefficient)
                                          : static_cast<std::uint64_t>(term.coefficient);
      if (product.empty())
        product = format("{}", size);
      else if (size != 1)
        product = format("{}*{}", size, product);
      if (out.empty())
        out = (negative ? "-" : "") + product;
      else
        out += (negative ? " - " : " + ") + product;
    }
    return out;
  }

  std::string show(const Atom& atom) {
    switch (atom.kind) {
      case Atom::Kind::kSymbol: return atom.name;
      case Atom::Kind::kUnknown: return "?";
      case Atom::Kind::kMax: return format("max({}, {})", show(atom.a), show(atom.b));
      case Atom::Kind::kFloorDiv: break;
    }
    const bool is_sum = !atom.a.is_known() && sum_of(atom.a).size() > 1;
    return is_sum ? format("floor(({})/{})", show(atom.a), show(atom.b))
                  : format("floor({}/{})", show(atom.a), show(atom.b));
  }
};

namespace {

template <class Body>
auto locked(Body&& body) {
  Expressions& table = Expressions::get();
  const std::lock_guard guard(table.lock);
  return body(table);
}

}  // namespace

Dim Dim::symbol(std::string_view name) {
  return locked([&](Expressions& t) {
    return t.intern(Atom{Atom::Kind::kSymbol, std::string(name)});
  });
}

Dim Dim::unknown() {
  return locked([](Expressions& t) { return t.unknown(); });
}

bool Dim::is_anonymous() const {
  return !is_known() && locked([&](Expressions& t) { return t.hangs_on_unknown(*this); });
}

Dim operator+(Dim a, Dim b) {
  if (std::int64_t sum = 0;
      a.is_known() && b.is_known() && !__builtin_add_overflow(a.value_, b.value_, &sum)) {
    return sum;
  }
  return locked([&](Expressions& t) { return t.add(a, b, 1); });
}

Dim operator-(Dim a, Dim b) {
  if (std::int64_t difference = 0;
      a.is_known() && b.is_known() && !__builtin_sub_overflow(a.value_, b.value_, &difference)) {
    return difference;
  }
  return locked([&](Expressions& t) { return t.add(a, b, -1); });
}

Dim operator*(Dim a, Dim b) {
  if (std::int64_t product = 0;
      a.is_known() && b.is_known() && !__builtin_mul_overflow(a.value_, b.value_, &product)) {
    return product;
  }
  return locked([&](Expressions& t) { return t.multiply(a, b); });
}

Dim floor_div(Dim a, Dim b) {
  return locked([&](Expressions& t) { return t.floor_divide(a, b); });
}

// ceil(a / b) = -floor(-a / b)
Dim ceil_div(Dim a, Dim b) { return Dim(0) - floor_div(Dim(0) - a, b); }

Dim max(Dim a, Dim b) {
  if (a == b) return a;
  if (a.is_known() && b.is_known()) return std::max(a.value_, b.value_);
  return locked([&](Expressions& t) { return t.intern(Atom{Atom::Kind::kMax, {}, a, b}); });
}

Dim min(Dim a, Dim b) { return a + b - max(a, b); }

std::optional<std::int64_t> Dim::evaluate(
    const std::vector<std::pair<std::string, std::int64_t>>& values) const {
  return locked([&](Expressions& t) { return t.evaluate(*this, values); });
}

std::vector<std::string> symbols(Dim dim) {
  std::vector<std::string> out;
  locked([&](Expressions& t) { t.add_symbols(dim, out); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string Dim::to_string() const {
  return locked([&](Expressions& t) { return t.show(*this); });
}

}  // namespace godwit::ir
