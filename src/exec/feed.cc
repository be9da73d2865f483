// Matches what the user gives with what the graph asks for; every mismatch names both sides.
#include "exec/feed.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/file.h"
#include "base/text.h"
#include "formats/npy/npy.h"
#include "formats/onnx/decode.h"
#include "ir/number.h"
#include "ir/symbols.h"

namespace godwit::exec {
namespace {

namespace fs = std::filesystem;
using ir::Datum;
using ir::ElementType;
using ir::Tensor;
using Dims = std::vector<std::pair<std::string, std::int64_t>>;

std::vector<std::string> input_names(const ir::Model& model) {
  std::vector<std::string> out;
  for (const ir::ValueId value : model.main().inputs)
    out.push_back(to_valid_utf8(model.values[value].name));
  return out;
}

class Feeder {
 public:
  Feeder(const ir::Model& model, const FeedOptions& options)
      : model_(model),
        options_(options),
        data_(model.main().inputs.size()),
        sources_(model.main().inputs.size()) {}

  Result<Fed> run() {
    std::vector<std::string> names;
    for (const std::string& source : options_.sources) TRY(read(source));
    Draw draw(options_.seed);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const ir::Value& input = value(i);
      if (data_[i].kind != Datum::Kind::kNothing || input.constant) continue;
      if (!options_.random) {
        return fail("E185", {},
                    {{"input", to_valid_utf8(input.name)}, {"type", to_string(input.type)}});
      }
      ASSIGN(data_[i], drawn(input, draw));
      names.push_back(to_valid_utf8(input.name));
    }
    return Fed{std::move(data_), std::move(names)};
  }

 private:
  const ir::Value& value(std::size_t i) const { return model_.values[model_.main().inputs[i]]; }

  // Which of two values was meant is not ours to say.
  Status take(std::size_t input, Datum datum, const std::string& path) {
    if (data_[input].kind != Datum::Kind::kNothing) {
      return fail("E192", {.file = path},
                  {{"input", to_valid_utf8(value(input).name)},
                   {"first", sources_[input]},
                   {"second", path}});
    }
    data_[input] = std::move(datum);
    sources_[input] = path;
    return {};
  }

  Status read(const std::string& source) {
    std::error_code ignored;
    if (fs::is_directory(source, ignored)) return read_folder(source);
    const std::size_t equal = source.find('=');
    if (equal != std::string::npos && !fs::exists(source, ignored))
      return read_one(source.substr(equal + 1), source.substr(0, equal));
    return read_one(source, "");
  }

  // A .npy names no input: `name` does, or the model has only one.
  Status read_one(const std::string& path, const std::string& name) {
    if (path.ends_with(".pb")) return read_protobuf(path, name);
    ASSIGN(std::vector<formats::npy::Named> arrays, formats::npy::read(path));
    std::size_t taken = 0;
    for (auto& [own, tensor] : arrays) {
      const bool is_only = own.empty() && name.empty() && data_.size() == 1;
      if (own.empty() && name.empty() && !is_only) {
        return fail("E189", {.file = path},
                    {{"path", path}, {"names", join(input_names(model_), ", ")}});
      }
      const bool is_archive = !own.empty();
      if (is_archive && !name.empty() && own != name && arrays.size() > 1) continue;
      const std::string& wanted = name.empty() ? own : name;
      ASSIGN(const std::size_t input, is_only ? Result<std::size_t>(0) : find(wanted, path));
      ASSIGN(Datum datum, as_input(input, std::move(tensor)));
      TRY(take(input, std::move(datum), path));
      ++taken;
    }
    if (taken == 0) return nothing_taken(path, name, arrays);
    return {};
  }

  Status nothing_taken(const std::string& path, const std::string& name,
                       const std::vector<formats::npy::Named>& arrays) const {
    if (name.empty()) {
      return fail("E189", {.file = path},
                  {{"path", path}, {"names", join(input_names(model_), ", ")}});
    }
    std::vector<std::string> held;
    for (const auto& array : arrays) held.push_back(to_valid_utf8(array.first));
    return fail("E190", {.file = path},
                {{"path", path}, {"name", to_valid_utf8(name)}, {"found", join(held, ", ")}});
  }

  Result<std::size_t> find(const std::string& name, const std::string& path) const {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      if (value(i).name == name) return i;
    }
    const std::vector<std::string> names = input_names(model_);
    return fail("E184", {.file = path},
                {{"name", to_valid_utf8(name)}, {"known", join(names, ", ")}});
  }

  // numpy has no bfloat16 and no float of eight bits: float32 stands for them.
  Result<Datum> as_input(std::size_t input, Tensor tensor) const {
    const ElementType wanted = value(input).type.element;
    const bool is_narrow = ir::float_format(wanted) && wanted != ElementType::kFloat16;
    const bool is_packed = ir::bits(wanted) < 8 && ir::bits(wanted) > 0;
    const bool fits = (is_narrow && tensor.type() == ElementType::kFloat) ||
                      (is_packed && (tensor.type() == ElementType::kInt8 ||
                                     tensor.type() == ElementType::kUint8));
    if (!fits) return Datum(std::move(tensor));
    ASSIGN(Tensor out, convert(tensor, wanted));
    return Datum(std::move(out));
  }

  Result<Datum> protobuf(std::size_t input, const fs::path& path) const {
    ASSIGN(std::string bytes, read_file(path));
    auto kept = std::make_shared<const std::string>(std::move(bytes));
    return formats::onnx::parse_datum(value(input).type.kind, *kept, kept, show_path(path));
  }

  Status read_protobuf(const std::string& path, const std::string& name) {
    if (name.empty() && data_.size() != 1) {
      return fail("E189", {.file = path},
                  {{"path", path}, {"names", join(input_names(model_), ", ")}});
    }
    ASSIGN(const std::size_t input, name.empty() ? Result<std::size_t>(0) : find(name, path));
    ASSIGN(Datum datum, protobuf(input, path));
    return take(input, std::move(datum), path);
  }

  Status read_folder(const fs::path& folder) {
    std::error_code ignored;
    bool any = false;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const fs::path path = folder / format("input_{}.pb", i);
      if (!fs::exists(path, ignored)) continue;
      any = true;
      ASSIGN(Datum datum, protobuf(i, path));
      TRY(take(i, std::move(datum), show_path(path)));
    }
    if (any || data_.empty()) return {};
    return fail("E189", {.file = show_path(folder)},
                {{"path", show_path(folder)}, {"names", join(input_names(model_), ", ")}});
  }

  Result<Datum> drawn(const ir::Value& input, Draw& draw) const {
    const ElementType type = input.type.element;
    const bool can = input.type.is_tensor() && input.type.shape &&
                     (is_floating(type) || is_integer(type) || type == ElementType::kBool);
    if (!can) {
      return fail("E187", {},
                  {{"input", to_valid_utf8(input.name)}, {"type", to_string(input.type)}});
    }
    ir::Sizes sizes;
    for (std::size_t axis = 0; axis < input.type.shape->size(); ++axis) {
      const ir::Dim dim = (*input.type.shape)[axis];
      const auto size = dim.is_anonymous() ? anonymous(input, axis) : dim.evaluate(options_.dims);
      if (!size) return tl::unexpected(no_number(input, axis));
      sizes.push_back(*size);
    }
    ASSIGN(Tensor out, Tensor::make(type, std::move(sizes)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(out.count()); ++i) {
      const double number = is_floating(type)             ? draw.normal()
                            : type == ElementType::kUint8 ? std::floor(draw.uniform() * 256)
                                                          : static_cast<double>(draw.bits() >> 63);
      ir::store(type, out.mutable_data(), i, number, ir::Overflow::kSaturate);
    }
    return Datum(std::move(out));
  }

  // Names the open dimension, and all that --dim has to give, so that one more try is enough.
  Error no_number(const ir::Value& input, std::size_t axis) const {
    const ir::Dim dim = (*input.type.shape)[axis];
    std::vector<std::string> options;
    for (const std::string& name : open_dims(model_)) {
      const bool is_given = std::any_of(options_.dims.begin(), options_.dims.end(),
                                        [&](const auto& given) { return given.first == name; });
      if (!is_given) options.push_back(format("--dim {}=1", to_valid_utf8(name)));
    }
    return {.code = "E186",
            .args = {{"dim", dim.is_anonymous() ? format("{}:{}", to_valid_utf8(input.name), axis)
                                                : to_valid_utf8(dim.to_string())},
                     {"input", to_valid_utf8(input.name)},
                     {"type", to_string(input.type)},
                     {"options", join(options, " ")}}};
  }

  // A dimension without a name is called INPUT:AXIS.
  std::optional<std::int64_t> anonymous(const ir::Value& input, std::size_t axis) const {
    for (const auto& [name, size] : options_.dims) {
      if (name == format("{}:{}", input.name, axis)) return size;
    }
    return std::nullopt;
  }

  const ir::Model& model_;
  const FeedOptions& options_;
  std::vector<Datum> data_;
  std::vector<std::string> sources_;  // the file of each
};

}  // namespace

std::uint64_t Draw::bits() {
  // splitmix64: one multiply-xorshift per number, any seed is as good as another.
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double Draw::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Draw::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

Result<Fed> feed(const ir::Model& model, const FeedOptions& options) {
  return Feeder(model, options).run();
}

std::vector<std::string> open_dims(const ir::Model& model) {
  std::vector<std::string> out;
  for (const ir::ValueId id : model.main().inputs) {
    const ir::Value& input = model.values[id];
    if (!input.type.shape) continue;
    for (std::size_t axis = 0; axis < input.type.shape->size(); ++axis) {
      const ir::Dim dim = (*input.type.shape)[axis];
      if (dim.is_anonymous()) out.push_back(format("{}:{}", input.name, axis));
      for (std::string& name : ir::symbols(dim)) out.push_back(std::move(name));
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<Dims> parse_dims(const ir::Model& model, const std::vector<std::string>& words) {
  std::vector<std::string> known = open_dims(model);
  Dims out;
  for (const std::string& word : words) {
    const std::size_t equal = word.rfind('=');
    const std::string name = word.substr(0, equal);
    const auto size =
        equal == std::string::npos ? std::nullopt : parse_integer(word.substr(equal + 1));
    if (!size || *size < 0 || std::find(known.begin(), known.end(), name) == known.end()) {
      if (known.empty()) return fail("E191", {}, {{"found", to_valid_utf8(word)}});
      for (std::string& each : known) each = to_valid_utf8(each);
      return fail("E188", {}, {{"found", to_valid_utf8(word)}, {"known", join(known, ", ")}});
    }
    out.emplace_back(name, *size);
  }
  return out;
}

}  // namespace godwit::exec
