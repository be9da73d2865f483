// Cells by name; a value that a cell cannot have is an error of the table, not a guess.
#include "facts/numerics.h"

#include <array>
#include <span>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

constexpr std::string_view kTable = "numerics.tsv";
constexpr std::string_view kEstimates = "precision/estimates.tsv";

/// Looks cells up; the first failure stays.
class Cells {
 public:
  explicit Cells(const Numerics& numerics) : numerics_(numerics) {}

  /// Which of the words the cell has.
  std::size_t choice(std::string_view cell, std::span<const std::string_view> words) {
    std::string_view found;
    for (const NumericsCell& row : numerics_.cells) {
      if (row.cell == cell) found = row.value;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == found) return i;
    }
    if (status_) {
      status_ = fail("E171", {.file = std::string(kTable)},
                     {{"path", std::string(kTable)},
                      {"cell", std::string(cell)},
                      {"family", numerics_.family},
                      {"found", std::string(found)},
                      {"known", join(words, ", ")}});
    }
    return 0;
  }
  bool is(std::string_view cell, std::string_view yes, std::string_view no) {
    const std::array<std::string_view, 2> words = {yes, no};
    return choice(cell, words) == 0;
  }
  Status status() const { return status_; }

 private:
  const Numerics& numerics_;
  Status status_;
};

CubeInput cube_input(Cells& cells, std::string_view cell) {
  constexpr std::array<std::string_view, 3> kWords = {"fp16", "hf32", "fp32"};
  return static_cast<CubeInput>(cells.choice(cell, kWords));
}

Status read_cells(Numerics& out) {
  constexpr std::array<std::string_view, 3> kOrders = {"cube16", "sequential", "exact"};
  constexpr std::array<std::string_view, 2> kUlps = {"1", "2"};
  Cells cells(out);
  out.saturates = cells.is("overflow", "saturate", "infinity");
  out.stores_fp32_as_fp16 = cells.is("store.fp32", "fp16", "fp32");
  out.matmul_input = cube_input(cells, "matmul.fp32_input");
  out.conv_input = cube_input(cells, "conv.fp32_input");
  out.hf32_ties_away = cells.is("hf32.tie", "nearest_away", "nearest_even");
  out.accumulates_in_fp16 = cells.is("accumulate.type", "fp16", "fp32");
  out.order = static_cast<SumOrder>(cells.choice("accumulate.order", kOrders));
  out.softmax_ties_away = cells.is("softmax.rounding", "nearest_away", "nearest_even");
  out.gelu_is_tanh = cells.is("gelu.form", "tanh_exp", "erf");
  out.gelu_in_fp16 = cells.is("gelu.type", "fp16", "fp32");
  out.layernorm_divides = cells.is("layernorm.root", "sqrt_div", "rsqrt");
  out.reduces_by_tree = cells.is("reduce.order", "tree", "sequential");
  out.reduces_in_fp16 = cells.is("reduce.type", "fp16", "fp32");
  out.quantizes_in_fp16 = cells.is("quant.type", "fp16", "fp32");
  out.dequant_scale_is_19_bits = cells.is("dequant.scale", "fp19", "fp32");
  out.keeps_subnormals = cells.is("subnormal", "kept", "flushed");
  out.transcendental_ulp = static_cast<double>(cells.choice("transcendental.ulp", kUlps)) + 1;
  return cells.status();
}

Result<double> estimate(const Table& rows, std::string_view name) {
  for (const std::uint32_t row : rows.find(rows.column("name"), name)) {
    if (const auto value = parse_number(cell(rows, row, "value"))) return *value;
  }
  return fail("E171", {.file = std::string(kEstimates)},
              {{"path", std::string(kEstimates)},
               {"cell", std::string(name)},
               {"family", "*"},
               {"found", ""},
               {"known", "0.001"}});
}

Status read_estimates(Numerics& out) {
  ASSIGN(const Table* const rows, table(kEstimates, {"name"}));
  ASSIGN(out.moved_by_order, estimate(*rows, "order.moved_share"));
  ASSIGN(out.order_in_fp32, estimate(*rows, "order.fp32_rms"));
  return {};
}

}  // namespace

Result<std::vector<std::string>> numerics_families() {
  ASSIGN(const Table* const rows, table(kTable, {"family"}));
  const std::size_t family = rows->column("family");
  std::vector<std::string> out;
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    if (out.empty() || out.back() != rows->at(row, family)) out.emplace_back(rows->at(row, family));
  }
  return out;
}

Result<Numerics> numerics(std::string_view family) {
  ASSIGN(const Table* const rows, table(kTable, {"family"}));
  Numerics out{.family = std::string(family)};
  for (const std::uint32_t row : rows->find(rows->column("family"), family)) {
    const auto text = [&](std::string_view column) {
      return std::string(cell(*rows, row, column));
    };
    out.cells.push_back({text("cell"), text("value"), text("basis"), text("source"), text("at")});
  }
  if (out.cells.empty()) {
    ASSIGN(const std::vector<std::string> known, numerics_families());
    return fail("E170", {}, {{"found", out.family}, {"known", join(known, ", ")}});
  }
  TRY(read_cells(out));
  TRY(read_estimates(out));
  return out;
}

}  // namespace godwit::facts
