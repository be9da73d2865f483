// Reads the version matrix, the requirement rows, the installation files and the systems.
#include "doctor/knowledge.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::doctor {
namespace {

constexpr std::array<std::string_view, 5> kSolved = {"torch", "torch_npu", "cann", "python",
                                                     "driver"};

Result<Range> read_range(const Table& table, std::size_t row, std::string_view text) {
  auto range = Range::parse(text);
  if (range) return *std::move(range);
  return fail("E101", {.file = table.name(), .line = static_cast<std::uint32_t>(row + 2)},
              {{"found", std::string(text)}});
}

diag::Severity severity_of(std::string_view text) {
  if (text == "error") return diag::Severity::kError;
  return text == "note" ? diag::Severity::kNote : diag::Severity::kWarning;
}

// "python<3.13"
Status read_condition(const Table& table, std::size_t row, std::string_view text,
                      Requirement& into) {
  if (text.empty()) return {};
  const std::size_t end = std::min(text.size(), text.find_first_of("<>=!~"));
  into.also_component = text.substr(0, end);
  ASSIGN(into.also, read_range(table, row, text.substr(end)));
  return {};
}

Result<Requirement> read_requirement_row(const Table& table, std::size_t row) {
  const auto cell = [&](std::string_view column) { return facts::cell(table, row, column); };
  Requirement out{.component = std::string(cell("component")),
                  .subject = std::string(cell("subject"))};
  ASSIGN(out.when, read_range(table, row, cell("when")));
  TRY(read_condition(table, row, cell("also"), out));
  ASSIGN(out.range, read_range(table, row, cell("range")));
  out.is_required = cell("need") == "required";
  out.severity = severity_of(cell("severity"));
  out.note = cell("note");
  out.source = cell("source");
  out.at = cell("at");
  return out;
}

Status load_requirements(Knowledge& knowledge) {
  ASSIGN(const Table* const table, facts::table("requirements.tsv", {}));
  for (std::size_t row = 0; row < table->rows(); ++row) {
    ASSIGN(Requirement requirement, read_requirement_row(*table, row));
    knowledge.requirements.push_back(std::move(requirement));
  }
  return {};
}

Status load_files(Knowledge& knowledge) {
  ASSIGN(const Table* const table, facts::table("packages.tsv", {}));
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const auto cell = [&](std::string_view column) {
      return std::string(facts::cell(*table, row, column));
    };
    ASSIGN(Range when, read_range(*table, row, cell("when")));
    knowledge.files.push_back({.step = parse_integer(cell("step")).value_or(0),
                               .package = cell("package"),
                               .when = std::move(when),
                               .family = cell("family"),
                               .file = cell("file"),
                               .arguments = cell("arguments")});
  }
  return {};
}

Status load_systems(Knowledge& knowledge) {
  ASSIGN(const Table* const table, facts::table("systems.tsv", {}));
  ASSIGN(const Table* const products, facts::table("products.tsv", {"product"}));
  for (std::size_t row = 0; row < table->rows(); ++row) {
    SystemRow out{.product = std::string(facts::cell(*table, row, "product")),
                  .system = std::string(facts::cell(*table, row, "system"))};
    const auto card = products->find(products->column("product"), out.product);
    if (!card.empty()) out.family = facts::cell(*products, card.front(), "family");
    for (const std::string_view version : split_list(facts::cell(*table, row, "versions"))) {
      out.versions.emplace_back(version);
    }
    knowledge.systems.push_back(std::move(out));
  }
  return {};
}

// The row of exactly this release wins over that of another patch of it.
const facts::VersionRow* kit_row(const Knowledge& knowledge, std::string_view cann) {
  for (const facts::VersionRow& row : knowledge.kits) {
    if (equals_ignoring_case(row.cann, cann)) return &row;
  }
  for (const facts::VersionRow& row : knowledge.kits) {
    if (is_same_line(row.cann, cann)) return &row;
  }
  return nullptr;
}

}  // namespace

bool Requirement::applies(const Environment& environment) const {
  const auto version = doctor::component(environment, subject).version();
  if (!version || !when.contains(*version)) return false;
  if (also_component.empty()) return true;
  const auto second = doctor::component(environment, also_component).version();
  return second && also.contains(*second);
}

std::vector<std::string> Knowledge::kits_of(std::string_view cann) const {
  const facts::VersionRow* const row = kit_row(*this, cann);
  return row ? row->hdk : std::vector<std::string>();
}

std::pair<std::string, std::vector<std::string>> Knowledge::kits_beside(
    std::string_view cann) const {
  constexpr std::string_view kKey = "hdk_also_with_";
  const facts::VersionRow* const row = kit_row(*this, cann);
  if (!row || !row->notes.starts_with(kKey)) return {};
  const std::string_view note = std::string_view(row->notes).substr(kKey.size());
  const std::size_t equals = std::min(note.size(), note.find('='));
  std::pair<std::string, std::vector<std::string>> out;
  out.first = replace_all(note.substr(0, equals), "_", " ");
  for (const std::string_view kit : split_list(note.substr(std::min(note.size(), equals + 1)))) {
    out.second.emplace_back(kit);
  }
  return out;
}

const facts::VersionRow* Knowledge::pair_of(std::string_view torch_npu) const {
  const auto version = Version::parse(torch_npu);
  if (!version) return nullptr;
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const facts::VersionRow& row) {
    const auto own = Version::parse(row.torch_npu);
    return own && *own == *version;
  });
  return found == pairs.end() ? nullptr : &*found;
}

bool Knowledge::knows(std::string_view component) const {
  return is_solved(component) ||
         std::any_of(requirements.begin(), requirements.end(),
                     [&](const Requirement& row) { return row.component == component; });
}

bool is_solved(std::string_view component) {
  return std::find(kSolved.begin(), kSolved.end(), component) != kSolved.end();
}

Result<Knowledge> load_knowledge() {
  Knowledge knowledge;
  ASSIGN(knowledge.pairs, facts::version_rows("torch_npu"));
  ASSIGN(knowledge.pythons, facts::version_rows("torch_python"));
  ASSIGN(knowledge.kits, facts::version_rows("cann_hdk"));
  TRY(load_requirements(knowledge));
  TRY(load_files(knowledge));
  TRY(load_systems(knowledge));
  return knowledge;
}

Range drivers_for(const std::vector<std::string>& kits) {
  std::optional<Version> oldest;
  for (const std::string& kit : kits) {
    // 25.0.X holds 25.0.rc1 as well.
    const bool is_wild = kit.ends_with(".X") || kit.ends_with(".x");
    const auto version = Version::parse(is_wild ? kit.substr(0, kit.size() - 2) + ".dev0" : kit);
    if (version && (!oldest || *version < *oldest)) oldest = version;
  }
  return oldest ? Range::parse(">=" + oldest->text()).value_or(Range{}) : Range{};
}

bool is_same_line(std::string_view a, std::string_view b) {
  const auto left = Version::parse(a), right = Version::parse(b);
  if (!left || !right) return false;
  if (left->has_prefix(*right) || right->has_prefix(*left)) return true;
  return !left->is_prerelease() && !right->is_prerelease() && left->leading(2) == right->leading(2);
}

}  // namespace godwit::doctor
