// Reading and writing values by their placement.
#include "exec/frame.h"

#include <cstring>
#include <utility>

#include "exec/fit.h"

namespace godwit::exec {

using ir::Datum;
using ir::Tensor;
using ir::ValueId;

ir::Sizes Frame::sizes(ir::ValueId value) const {
  ir::Sizes out;
  for (const ir::Dim dim : *model_.values[value].type.shape) out.push_back(dim.value());
  return out;
}

const void* Frame::address(ir::ValueId value) const {
  const Placement& place = placements_[value];
  switch (place.kind) {
    case Placement::Kind::kArena: return arena_.data() + place.offset;
    case Placement::Kind::kConstant: return model_.values[value].constant->data();
    case Placement::Kind::kOwn: break;
  }
  return own_[value].tensor.data();
}

Result<void*> Frame::room(ir::ValueId value) {
  const Placement& place = placements_[value];
  if (place.kind == Placement::Kind::kArena)
    return static_cast<void*>(arena_.data() + place.offset);
  ASSIGN(Tensor made, Tensor::make(model_.values[value].type.element, sizes(value)));
  own_[value] = Datum(std::move(made));
  return static_cast<void*>(own_[value].tensor.mutable_data());
}

Datum Frame::datum(ir::ValueId value) const {
  if (value == ir::kNone) return {};
  const Placement& place = placements_[value];
  switch (place.kind) {
    case Placement::Kind::kConstant: return Datum(*model_.values[value].constant);
    case Placement::Kind::kArena:
      return Datum(Tensor::view(model_.values[value].type.element, sizes(value),
                                arena_.data() + place.offset, nullptr));
    case Placement::Kind::kOwn: break;
  }
  return own_[value];
}

const ops::Host& Frame::host() {
  if (!subgraphs_)
    subgraphs_.emplace(
        model_, setting_.arithmetic->inside(), setting_.liveness,
        [this](ValueId value) {
          return setting_.arithmetic->written(value, datum(value)).value_or(Datum());
        },
        setting_.tap, setting_.seed);
  return subgraphs_->host();
}

Status Frame::detach(Datum& datum) const {
  for (Datum& item : datum.items) TRY(detach(item));
  const Tensor& here = datum.tensor;
  const bool is_planned =
      here.data() >= arena_.data() && here.data() < arena_.data() + arena_.size();
  if (!is_planned || arena_.empty()) return {};
  ASSIGN(Tensor copy, Tensor::make(here.type(), here.dims()));
  if (copy.bytes()) std::memcpy(copy.mutable_data(), here.data(), copy.bytes());
  datum.tensor = std::move(copy);
  return {};
}

Status Frame::keep(ValueId value, Datum datum) {
  TRY(check_fits(model_.values[value], datum));
  TRY(detach(datum));
  own_[value] = std::move(datum);
  return {};
}

Result<Datum> Frame::take(ValueId value) {
  Datum out = datum(value);
  TRY(detach(out));
  return out;
}

}  // namespace godwit::exec
