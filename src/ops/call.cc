// Access for evaluations: inputs, lists that moved from attributes to inputs, outputs.
#include "ops/call.h"

#include <cstdlib>
#include <limits>

#include "base/text.h"

namespace godwit::ops {
namespace {

const Tensor kNothing;

}  // namespace

const Tensor& Call::input(std::size_t i) const {
  return has_input(i) ? inputs_[i].tensor : kNothing;
}

Result<Ints> Call::integers(std::size_t i) const {
  std::optional<Ints> out = to_integers(input(i));
  if (!out) return refuse("not_integers", {{"input", format("{}", i)}});
  return *std::move(out);
}

Result<Ints> Call::list(std::string_view name, std::size_t i, Ints fallback) const {
  if (has_input(i)) return integers(i);
  if (has(name)) return integers(name);
  return fallback;
}

Result<double> Call::scalar(std::size_t i) const {
  const std::optional<std::vector<double>> values = to_doubles(input(i));
  if (!values || values->size() != 1)
    return refuse("not_scalar",
                  {{"input", format("{}", i)}, {"dims", ir::to_string(input(i).dims())}});
  return values->front();
}

Result<Tensor*> Call::make(std::size_t i, ElementType type, Sizes dims) {
  ASSIGN(Tensor made, Tensor::make(type, std::move(dims)));
  if (i >= outputs_.size()) outputs_.resize(i + 1);
  outputs_[i] = Datum(std::move(made));
  return &outputs_[i].tensor;
}

ir::Type Call::output_type(ir::GraphId graph, std::size_t output) const {
  return host_.output_type ? host_.output_type(graph, output) : ir::Type();
}

namespace {

// How often bodies may run while a model runs, so that a loop without an end is refused.
std::int64_t most_turns(std::int64_t usual) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const char* const said = std::getenv("GODWIT_LOOP_TURNS");
  const auto turns = said ? parse_integer(said) : std::nullopt;
  if (!turns || *turns < 0) return usual;
  return *turns == 0 ? kMost : *turns;
}

}  // namespace

Result<std::vector<Datum>> Call::run(ir::GraphId graph, std::vector<Datum> inputs) const {
  static const std::int64_t usual = Host().runs_left, most = most_turns(usual);
  const std::int64_t turns = usual - --host_.runs_left;
  if (turns > most)
    return refuse("loop", {{"turns", with_thousands(static_cast<std::uint64_t>(most))}});
  return host_.run_graph(graph, std::move(inputs));
}

void Call::set(std::size_t i, Datum value) {
  if (i >= outputs_.size()) outputs_.resize(i + 1);
  outputs_[i] = std::move(value);
}

template <class T>
Result<std::span<T>> Call::make(std::size_t i, Sizes dims) {
  ASSIGN(Tensor* const made, make(i, ir::kElement<T>, std::move(dims)));
  return made->template mutable_values<T>();
}

template Result<std::span<float>> Call::make(std::size_t, Sizes);
template Result<std::span<double>> Call::make(std::size_t, Sizes);
template Result<std::span<bool>> Call::make(std::size_t, Sizes);
template Result<std::span<std::int8_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::int16_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::int32_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::int64_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::uint8_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::uint16_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::uint32_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::uint64_t>> Call::make(std::size_t, Sizes);
template Result<std::span<std::string>> Call::make(std::size_t, Sizes);

}  // namespace godwit::ops
