// Each neighbour of a position is gathered with its channels and weighed; a position that is no
// number sees nothing.
#include "ops/expand_grid_sample.h"

#include <optional>
#include <string>
#include <vector>

#include "ops/term.h"

namespace godwit::ops {
namespace {

constexpr double kFarAway = 1 << 24;  // whole numbers up to here are exact, and nothing is there

/// An element that counts for a position on one axis.
struct Neighbour {
  Term place;      // a whole number inside the image
  Term weight;     // meaningless where it does not count
  Term is_inside;  // whether it counts
};

class Sampler {
 public:
  Sampler(Expansion& e, const Term& image, std::size_t rank)
      : e_(e),
        image_(image),
        rank_(rank),
        mode_(e.text("mode")),
        outside_(e.text("padding_mode")),
        at_centers_(e.flag("align_corners")) {}

  // [N, C, image …] at grid [N, made …, axes] → [N, C, made …].
  Term run(const Term& grid) {
    std::vector<std::vector<Neighbour>> axes;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const auto at = static_cast<std::int64_t>(rank_ - 1 - axis);  // x stands before y before z
      const Term position = grid.then("Gather", {e_.index(at)}, {{"axis", std::int64_t{-1}}});
      axes.push_back(taps(position, axis));
    }
    // The channels of a place lie side by side: one row of a table.
    Ints order = {0}, back = {0, last_axis()};
    for (std::size_t i = 0; i < rank_; ++i) {
      order.push_back(static_cast<std::int64_t>(i) + 2);
      back.push_back(static_cast<std::int64_t>(i) + 1);
    }
    order.push_back(1);
    const Term rows =
        image_.transposed(order).reshaped(e_.join({e_.indices({-1}), e_.size(image_, 1)}));
    std::optional<Term> sum;
    for (std::size_t corner = 0; corner < corners(axes); ++corner) {
      const Term part = weighed(rows, axes, corner);
      sum = sum ? *sum + part : part;
    }
    return sum->transposed(back);
  }

 private:
  std::int64_t last_axis() const { return static_cast<std::int64_t>(rank_) + 1; }

  static std::size_t corners(const std::vector<std::vector<Neighbour>>& axes) {
    std::size_t out = 1;
    for (const std::vector<Neighbour>& taps : axes) out *= taps.size();
    return out;
  }

  // One combination of taps: what stands there times all weights.
  Term weighed(const Term& rows, const std::vector<std::vector<Neighbour>>& axes,
               std::size_t corner) {
    Term row = places(e_, image_, 0).unsqueezed(behind_first());
    std::optional<Term> weight, counts;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const Neighbour& tap = axes[axis][corner % axes[axis].size()];
      corner /= axes[axis].size();
      const Term size(e_, e_.size(image_, static_cast<std::int64_t>(axis) + 2),
                      ElementType::kInt64);
      row = row * size + tap.place.as(ElementType::kInt64);
      weight = weight ? *weight * tap.weight : tap.weight;
      counts = counts ? counts->then("And", {tap.is_inside}) : tap.is_inside;
    }
    const Term found(e_, e_.add("Gather", {rows, row}), image_.type());
    const Ints channel = {-1};
    return counts->unsqueezed(channel).choose(found * weight->unsqueezed(channel),
                                              image_.number(0));
  }

  Ints behind_first() const {
    Ints out;
    for (std::size_t i = 1; i <= rank_; ++i) out.push_back(static_cast<std::int64_t>(i));
    return out;
  }

  std::vector<Neighbour> taps(const Term& position, std::size_t axis) {
    const Term size(e_, e_.size(image_, static_cast<std::int64_t>(axis) + 2), ElementType::kInt64);
    const Term extent = Term(e_, e_.add("Squeeze", {size}), ElementType::kInt64).as(image_.type());
    const Term last = extent - extent.number(1);
    Term x = at_centers_ ? (position + 1.0) / 2.0 * last
                         : ((position + 1.0) * extent - extent.number(1)) / 2.0;
    const Term is_nothing(e_, e_.add("IsNaN", {x}), ElementType::kBool);
    const Term is_real = is_nothing.then("Not");
    x = is_nothing.choose(x.number(0), x);
    x = x.then("Max", {x.number(-kFarAway)}).then("Min", {x.number(kFarAway)});
    std::vector<Neighbour> out;
    const auto add = [&](const Term& place, const Term& weight) {
      const Term inside = place.then("Max", {place.number(0)}).then("Min", {last});
      const Term is_inside = inside.against("Equal", place).then("And", {is_real});
      out.push_back({inside, weight, is_inside});
    };
    if (mode_ == "nearest") {
      add(moved_inside(x, extent, last).then("Round"), x.number(1));
    } else if (mode_ == "cubic" || mode_ == "bicubic") {
      add_cubic(x, [&](const Term& place, const Term& weight) {
        add(moved_inside(place, extent, last), weight);
      });
    } else {
      const Term y = moved_inside(x, extent, last);
      const Term low = y.then("Floor");
      add(low, y.number(1) - (y - low));
      add(low + 1.0, y - low);
    }
    return out;
  }

  // Keys 1981, as cubic_weights has it.
  template <class Add>
  void add_cubic(const Term& x, Add&& add) {
    constexpr double a = -0.75;
    const auto near = [](const Term& d) { return (d * (a + 2) + -(a + 3)) * d * d + 1.0; };
    const auto far = [](const Term& d) { return ((d * a + -5 * a) * d + 8 * a) * d + -4 * a; };
    const Term low = x.then("Floor");
    const Term part = x - low, rest = part.number(1) - part;
    add(low + -1.0, far(part + 1.0));
    add(low, near(part));
    add(low + 1.0, near(rest));
    add(low + 2.0, far(rest + 1.0));
  }

  // The place inside the image that stands for x; outside of it where zeros are wanted.
  Term moved_inside(Term x, const Term& extent, const Term& last) {
    if (outside_ == "zeros") return x;
    if (outside_ == "reflection") {
      const Term length = at_centers_ ? last : extent;
      const double low = at_centers_ ? 0 : -0.5;
      const Term both = (length * 2.0).then("Max", {x.number(1)});  // an image of one element
      const Term away = (x + -low).then("Abs").then("Mod", {both}, {{"fmod", std::int64_t{1}}});
      x = away.against("Greater", length).choose(length * 2.0 - away, away) + low;
    }
    return x.then("Max", {x.number(0)}).then("Min", {last});
  }

  Expansion& e_;
  const Term image_;
  const std::size_t rank_;
  const std::string mode_, outside_;
  const bool at_centers_;
};

}  // namespace

Status expand_grid_sample(Expansion& e) {
  ASSIGN(const std::size_t rank, e.known_rank(0));
  ASSIGN(const Term image, term(e, 0));
  ASSIGN(const Term grid, term(e, 1));
  if (rank < 3 || !is_floating(image.type()))
    return e.refuse("type", {{"type", std::string(ir::name(image.type()))}});
  const ElementType real =
      image.type() == ElementType::kDouble ? ElementType::kDouble : ElementType::kFloat;
  const Term made = Sampler(e, image.as(real), rank - 2).run(grid.as(real));
  e.set_output(0, made.as(image.type()));
  return {};
}

}  // namespace godwit::ops
