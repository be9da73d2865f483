// Numbered files in the order in which the values are made.
#include "exec/dump.h"

#include "base/file.h"
#include "base/text.h"
#include "formats/npy/npy.h"

namespace godwit::exec {
namespace {

std::string safe(std::string_view name) {
  constexpr std::size_t kMost = 80;
  std::string out;
  for (const char c : name.substr(0, kMost)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.';
    out += is_plain ? c : '_';
  }
  return out;
}

// A cell of the index: what would end it or a line is left out.
std::string cell(std::string_view text) {
  std::string out = to_valid_utf8(text);
  for (char& c : out) {
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  }
  return out;
}

}  // namespace

Status Dump::add(ir::ValueId value, const ir::Datum& datum) {
  const ir::Value& row = model_.values[value];
  if (!datum.is_tensor()) return {};
  const ir::Tensor& tensor = datum.tensor;
  std::error_code ignored;  // of an earlier run: an index stands for a folder that is whole
  if (count_ == 0) std::filesystem::remove(folder_ / "index.tsv", ignored);
  const bool has_numbers = tensor.type() != ir::ElementType::kString;
  const std::string file = format("{:05}_{}.npy", count_++, safe(row.name));
  if (has_numbers) TRY(formats::npy::write_npy(folder_ / file, tensor));
  const ir::Node* const node = row.producer == ir::kNone ? nullptr : &model_.nodes[row.producer];
  index_ += format("{}\t{}\t{}{}\t{}\t{}\n", has_numbers ? file : "", cell(row.name),
                   ir::name(tensor.type()), ir::to_string(tensor.dims()),
                   node ? cell(node->op) : "", node ? cell(node->name) : "");
  return {};
}

Status Dump::finish() const { return write_file(folder_ / "index.tsv", index_, Sync::kLater); }

}  // namespace godwit::exec
