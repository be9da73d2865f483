// What `--to TEXT` means: a chip, a family or a product, and never two of them silently.
#include <algorithm>
#include <cmath>

#include "base/resources.h"
#include "base/text.h"
#include "diag/messages.h"
#include "facts/soc.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;  // cards are sold in these

// "atlas  300i-pro" and "Atlas 300I Pro" are one name.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : to_lower(name)) {
    const bool gap = c == ' ' || c == '-' || c == '_';
    if (!gap)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

Result<const Table*> product_table() { return table("products.tsv", {}); }

std::optional<std::size_t> find_product(const Table& products, std::string_view text) {
  const std::string wanted = plain(text);
  const auto is_name = [&](std::string_view name) {
    const std::string own = plain(name);
    return own == wanted || own == "atlas " + wanted;
  };
  for (std::size_t row = 0; row < products.rows(); ++row) {
    if (is_name(cell(products, row, "product"))) return row;
    const auto aliases = split_list(cell(products, row, "aliases"));
    if (std::any_of(aliases.begin(), aliases.end(), is_name)) return row;
  }
  return std::nullopt;
}

// Sizes of data sheets; where the platform file says nearly the same, its exact figure.
std::uint64_t device_memory(std::string_view gigabytes, const Soc& soc) {
  const auto nominal = static_cast<std::uint64_t>(parse_integer(gigabytes).value_or(0)) * kGigabyte;
  const double ratio = static_cast<double>(soc.sizes.memory) /
                       static_cast<double>(std::max<std::uint64_t>(nominal, 1));
  return std::abs(ratio - 1) < 0.1 ? soc.sizes.memory : nominal;
}

Result<Target> product_target(const Table& products, std::size_t row) {
  Target target;
  ASSIGN(target.soc, load_soc(cell(products, row, "soc_version")));
  target.product = cell(products, row, "product");
  target.devices = parse_integer(cell(products, row, "devices")).value_or(1);
  for (const std::string_view size : split_list(cell(products, row, "memory_gb"))) {
    target.memory_options.push_back(device_memory(size, target.soc));
  }
  const auto chips = split_list(cell(products, row, "soc_versions"));
  target.message_key = chips.size() > 1 ? "target.product_assumed" : "target.product";
  target.message_args = {{"product", target.product},
                         {"soc", target.soc.soc_version},
                         {"family", target.soc.family},
                         {"devices", std::to_string(target.devices)},
                         {"chips", join(chips, ", ")}};
  return target;
}

std::string series_of(const Soc& soc) {
  return soc.series.empty() ? soc.family : join(soc.series, ", ");
}

Result<Target> chip_target(std::string_view soc_version) {
  Target target;
  ASSIGN(target.soc, load_soc(soc_version));
  target.message_key = "target.chip";
  target.message_args = {{"soc", target.soc.soc_version},
                         {"family", target.soc.family},
                         {"series", series_of(target.soc)}};
  return target;
}

Result<Target> family_target(std::string_view family) {
  const std::string name = format("families/{}.toml", family);
  ASSIGN(const std::string text, resource(name));
  ASSIGN(const Json document, parse_toml(text, name));
  ASSIGN(Target target, chip_target(document["representative"].string()));
  target.message_key = "target.family";
  return target;
}

Result<Target> unknown(std::string_view text) {
  std::vector<std::string> names = families();
  for (std::string& name : soc_versions()) names.push_back(std::move(name));
  ASSIGN(const std::vector<std::string> cards, products());
  names.insert(names.end(), cards.begin(), cards.end());
  const std::string found(text);
  std::vector<std::string> close = nearest(found, names);
  if (close.empty()) close = {"ascend310p", "ascend910b", "Atlas 300I Pro"};
  return fail("E024", {}, {{"found", found}, {"nearest", join(close, ", ")}});
}

Result<Target> ambiguous(std::string_view text, std::string_view family, std::string_view chip) {
  ASSIGN(const Target a, family_target(family));
  ASSIGN(const Target b, chip_target(chip));
  return fail("E025", {},
              {{"found", std::string(text)},
               {"family", std::string(family)},
               {"family_series", series_of(a.soc)},
               {"chip", std::string(chip)},
               {"chip_family", b.soc.family},
               {"chip_series", series_of(b.soc)}});
}

template <class Names>
std::optional<std::string> find_name(const Names& names, std::string_view lower) {
  for (const std::string& name : names) {
    if (to_lower(name) == lower) return name;
  }
  return std::nullopt;
}

std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return trim(text.substr(prefix.size()));
}

}  // namespace

std::uint64_t Target::memory() const {
  return memory_options.empty() ? soc.sizes.memory : memory_options.front();
}

std::string Target::understood() const { return diag::text(message_key, message_args); }

Result<std::vector<std::string>> products() {
  ASSIGN(const Table* const rows, product_table());
  std::vector<std::string> names;
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    names.emplace_back(cell(*rows, row, "product"));
  }
  return names;
}

Result<Target> resolve_target(std::string_view text) {
  text = trim(text);
  const std::vector<std::string> keys = families();
  const auto is_family = [&](std::string_view name) {
    return std::binary_search(keys.begin(), keys.end(), name);
  };
  if (const auto forced = after(text, "soc:")) return chip_target(*forced);
  if (const auto forced = after(text, "family:")) {
    return is_family(*forced) ? family_target(*forced) : unknown(*forced);
  }
  if (is_family(text)) return family_target(text);
  ASSIGN(const Table* const cards, product_table());
  const std::string_view card = after(text, "product:").value_or(text);
  if (const auto row = find_product(*cards, card)) return product_target(*cards, *row);

  std::string lower = to_lower(text);
  if (!lower.starts_with("ascend")) lower = "ascend" + lower;  // npu-smi prints "310P3"
  const std::optional<std::string> family = find_name(keys, lower);
  const std::optional<std::string> chip = find_name(soc_versions(), lower);
  if (!chip) return family ? family_target(*family) : unknown(text);
  if (!family) return chip_target(*chip);
  ASSIGN(Target target, chip_target(*chip));
  if (target.soc.family != *family) return ambiguous(text, *family, *chip);
  return target;
}

}  // namespace godwit::facts
