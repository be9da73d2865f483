// Opset 11 made the place of a sample an attribute; before, it was the asymmetric one. Opset 18
// can name the axes that are resized, keep their ratio and filter what shrinks.
#include <algorithm>
#include <cmath>
#include <optional>

#include "ir/number.h"
#include "ops/convert.h"
#include "ops/expect.h"
#include "ops/resize.h"
#include "ops/term.h"

namespace godwit::ops::adaptations {
namespace {

enum Input : std::size_t { kImage, kRoi, kScales, kSizes };

// Regions and scales could not be left out yet; empty ones mean the same.
void fill_in(Expansion& e) {
  std::vector<ValueId>& inputs = e.edit().inputs;
  inputs.resize(std::max<std::size_t>(inputs.size(), 3), ir::kNone);
  for (std::size_t i = 1; i < 3; ++i) {
    if (inputs[i] == ir::kNone) inputs[i] = e.constant(ir::Tensor::of<float>({0}, {}));
  }
}

/// A node of opset 18 on its way to the words of 13.
class Older {
 public:
  explicit Older(Expansion& e) : e_(e), node_(e.node()) {}

  Result<bool> run() {
    ASSIGN(rank_, e_.known_rank(kImage));
    TRY(read_axes());
    node_.inputs.resize(kSizes + 1, ir::kNone);
    for (const std::size_t i : {kRoi, kScales, kSizes}) {
      const ir::Tensor* const held = e_.Inference::constant(i);
      if (held && held->empty()) node_.inputs[i] = ir::kNone;
    }
    TRY(keep_ratio());
    if (e_.flag("antialias") && e_.text("mode") != "nearest" && !grows())
      return e_.refuse("attribute", {{"name", "antialias"}, {"value", "1"}});
    if (!axes_.empty()) {
      TRY(spread(kRoi, 2));
      TRY(spread(kScales, 1));
      TRY(spread(kSizes, 1));
    }
    for (const std::string_view name : {"antialias", "axes", "keep_aspect_ratio_policy"})
      node_.remove_attribute(name);
    while (node_.inputs.back() == ir::kNone) node_.inputs.pop_back();
    e_.set_output(0, e_.add("Resize", node_.inputs, node_.attributes));
    return true;
  }

 private:
  Status read_axes() {
    for (const std::int64_t each : e_.Site::integers("axes")) {
      ASSIGN(const std::size_t axis, e_.axis(each, rank_));
      axes_.push_back(axis);
    }
    return {};
  }
  // The axis that place `i` of the lists speaks of.
  std::size_t axis_at(std::size_t i) const { return axes_.empty() ? i : axes_[i]; }

  std::optional<std::vector<double>> numbers(std::size_t input) const {
    const ir::Tensor* const held =
        node_.inputs[input] == ir::kNone ? nullptr : e_.Inference::constant(input);
    return held ? ir::to_doubles(*held) : std::nullopt;
  }
  std::optional<double> dim(std::size_t axis) const {
    const Dim out = (*e_.shape(kImage))[axis];
    return out.is_known() ? std::optional(static_cast<double>(out.value())) : std::nullopt;
  }

  // One scale for all axes, where it gives the sizes that the policy asks for.
  Status keep_ratio() {
    const std::string policy(e_.text("keep_aspect_ratio_policy"));
    if (policy.empty() || policy == "stretch" || node_.inputs[kSizes] == ir::kNone) return {};
    const auto sizes = numbers(kSizes);
    std::optional<double> scale;
    for (std::size_t i = 0; sizes && i < sizes->size(); ++i) {
      const double each = (*sizes)[i] / dim(axis_at(i)).value_or(0);
      if (!scale || (policy == "not_larger" ? each < *scale : each > *scale)) scale = each;
    }
    bool fits = scale && std::isfinite(*scale);
    for (std::size_t i = 0; fits && i < sizes->size(); ++i) {
      const auto from = static_cast<std::int64_t>(*dim(axis_at(i)));
      const double to = std::floor(*scale * static_cast<double>(from) + 0.5);
      fits = scaled_size(from, static_cast<float>(*scale)) == static_cast<std::int64_t>(to);
    }
    if (!fits)
      return e_.refuse("attribute", {{"name", "keep_aspect_ratio_policy"}, {"value", policy}});
    scale_ = static_cast<float>(*scale);
    node_.inputs[kScales] = floats(Floats(sizes->size(), *scale_));
    node_.inputs[kSizes] = ir::kNone;
    return {};
  }

  // A filter does nothing where no axis shrinks.
  bool grows() const {
    if (scale_) return *scale_ >= 1;
    if (const auto scales = numbers(kScales))
      return std::all_of(scales->begin(), scales->end(), [](double scale) { return scale >= 1; });
    const auto sizes = numbers(kSizes);
    for (std::size_t i = 0; sizes && i < sizes->size(); ++i) {
      const auto from = dim(axis_at(i));
      if (!from || (*sizes)[i] < *from) return false;
    }
    return sizes.has_value();
  }

  // Lists for all axes in place of those for some: an axis without a name stays as it is.
  Status spread(std::size_t input, std::size_t lists) {
    const ValueId some = node_.inputs[input];
    if (some == ir::kNone) return {};
    const ElementType type = e_.type_of(some).element;
    const auto held = scale_ && input == kScales
                          ? std::vector(axes_.size(), static_cast<double>(*scale_))
                          : numbers(input);
    if (held && held->size() != lists * axes_.size())
      return refuse_shapes(e_, {static_cast<std::int64_t>(held->size())},
                           {static_cast<std::int64_t>(lists * axes_.size())});
    std::vector<ValueId> pieces;
    Floats known;
    for (std::size_t i = 0; i < lists * rank_; ++i) {
      const std::size_t list = i / rank_, axis = i % rank_;
      const auto at = std::find(axes_.begin(), axes_.end(), axis);
      const auto place = static_cast<std::size_t>(at - axes_.begin()) + list * axes_.size();
      const float rest = input == kRoi ? static_cast<float>(list) : 1;
      if (input != kSizes && held)
        known.push_back(at == axes_.end() ? rest : static_cast<float>((*held)[place]));
      else if (at == axes_.end())
        pieces.push_back(input == kSizes ? size(axis) : one(rest, type));
      else if (held)
        pieces.push_back(e_.indices({static_cast<std::int64_t>((*held)[place])}));
      else
        pieces.push_back(part(some, type, static_cast<std::int64_t>(place)));
    }
    node_.inputs[input] =
        known.empty() ? e_.join(std::move(pieces)) : e_.cast(floats(std::move(known)), type);
    return {};
  }

  ValueId size(std::size_t axis) {
    return e_.size(e_.input(kImage), static_cast<std::int64_t>(axis));
  }
  ValueId floats(Floats list) {
    const auto count = static_cast<std::int64_t>(list.size());
    return e_.constant(ir::Tensor::of<float>({count}, std::move(list)));
  }
  ValueId one(float number, ElementType type) { return e_.cast(floats({number}), type); }
  ValueId part(ValueId list, ElementType type, std::int64_t place) {
    return Term(e_, list, type).slice(0, place, place + 1);
  }

  Expansion& e_;
  ir::Node node_;
  std::size_t rank_ = 0;
  std::vector<std::size_t> axes_{};  // empty: all of them
  std::optional<float> scale_{};     // of all axes, where one is asked for
};

Result<bool> adapt(Expansion& e, std::int64_t target) {
  if (target < 11)
    return e.refuse("attribute", {{"name", "coordinate_transformation_mode"}, {"value", ""}});
  const bool says_more = e.has("axes") || e.flag("antialias") || e.has("keep_aspect_ratio_policy");
  if (target < 18 && says_more) return Older(e).run();
  if (target < 13 && e.opset() >= 13) fill_in(e);
  if (e.opset() >= 11) return false;
  // Inputs were X and scales; nearest took the sample before.
  e.edit().set("coordinate_transformation_mode", std::string("asymmetric"));
  e.edit().set("nearest_mode", std::string("floor"));
  return false;
}

}  // namespace

extern const Adaptation resize = {.op = "Resize", .breaks = {11, 13, 18}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
