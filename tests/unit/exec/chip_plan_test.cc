// The fast plan under the numerics of a chip gives what the interpreter gives, value by value: the
// same bits where the order of sums is prescribed, numbers inside the band where it is free.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "exec/npu.h"
#include "exec/plan.h"
#include "ir/parse.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::Tensor;
using Values = std::map<std::string, Tensor>;

struct Model {
  ir::Model model;
  std::vector<Datum> inputs;
};

Datum draw(const ir::Sizes& dims, std::mt19937& random) {
  // Some numbers beyond what fp16 holds, so that there is something to lose.
  std::normal_distribution<float> normal(0, random() % 8 == 0 ? 9000.0f : 1.0f);
  std::vector<float> values(static_cast<std::size_t>(*ir::count(dims)));
  for (float& value : values) value = normal(random);
  return Datum(Tensor::of(dims, std::move(values)));
}

Model read(const std::string& text, std::mt19937& random) {
  auto model = ir::parse(text, "model.txt");
  EXPECT_TRUE(model) << text;
  Model out{*std::move(model), {}};
  for (const ir::ValueId value : out.model.main().inputs)
    out.inputs.push_back(draw(*static_sizes(out.model.values[value].type), random));
  return out;
}

/// Writes a graph of random nodes over one image, whose every value is an output or not.
class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {}

  std::string text(int nodes) {
    add_image();
    for (int i = 0; i < nodes; ++i) add();
    if (pick(2)) add_tokens();
    std::string out = "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[2,5,6,6] x) => (float[";
    out += shape_ + "] " + last() + ")\n<" + constants_ + ">\n{\n" + body_ + "}\n";
    return out;
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  std::string last() const { return images_.back(); }
  std::string image() { return images_[pick(images_.size())]; }

  std::string constant(const std::string& dims, std::size_t count) {
    const std::string name = "c" + std::to_string(constants_count_++);
    std::normal_distribution<float> normal(0.1f, 0.6f);
    if (!constants_.empty()) constants_ += ", ";
    constants_ += "float[" + dims + "] " + name + " = {";
    for (std::size_t i = 0; i < count; ++i)
      constants_ += (i ? ", " : "") + std::to_string(normal(random_));
    constants_ += "}";
    return name;
  }
  std::string positive(std::size_t count) {
    const std::string name = "c" + std::to_string(constants_count_++);
    if (!constants_.empty()) constants_ += ", ";
    constants_ += "float[" + std::to_string(count) + "] " + name + " = {";
    for (std::size_t i = 0; i < count; ++i)
      constants_ += (i ? ", " : "") + std::to_string(0.25 + 0.125 * static_cast<double>(pick(16)));
    constants_ += "}";
    return name;
  }
  void make(const std::string& call) {
    const std::string name = "v" + std::to_string(images_.size());
    body_ += "  " + name + " = " + call + "\n";
    images_.push_back(name);
  }

  void add_image() { images_ = {"x"}; }

  void add() {
    static const char* const kUnary[] = {"Abs",       "Neg",         "Relu",       "Sqrt",
                                         "Sigmoid",   "Tanh",        "Erf",        "Exp",
                                         "Softplus",  "HardSigmoid", "HardSwish",  "Elu",
                                         "LeakyRelu", "Softsign",    "Reciprocal", "Sin"};
    static const char* const kBinary[] = {"Add", "Sub", "Mul", "Div", "Min", "Max"};
    const std::string from = pick(3) ? last() : image();
    const std::string two = kBinary[pick(6)];
    switch (pick(9)) {
      case 0:
        return make("Conv <pads = [1,1,1,1]> (" + from + ", " + constant("5,5,3,3", 225) + ")");
      case 1:
        return make("Conv (" + from + ", " + constant("5,5,1,1", 25) + ", " + constant("5", 5) +
                    ")");
      case 2:
        return make("BatchNormalization (" + from + ", " + constant("5", 5) + ", " +
                    constant("5", 5) + ", " + constant("5", 5) + ", " + positive(5) + ")");
      case 3: return make(two + " (" + from + ", " + image() + ")");
      case 4: return make(two + " (" + constant("5,1,1", 5) + ", " + from + ")");
      case 5: return make(two + " (" + from + ", " + constant("1", 1) + ")");
      case 6: return make(two + " (" + from + ", " + constant("6", 6) + ")");
      case 7: return make("MaxPool <kernel_shape = [3,3], pads = [1,1,1,1]> (" + from + ")");
      default: return make(std::string(kUnary[pick(16)]) + " (" + from + ")");
    }
  }

  // The image as rows of tokens: products, normalisations, softmax.
  void add_tokens() {
    body_ += "  s = Constant <value_ints = [10,36]> ()\n";
    make("Reshape (" + last() + ", s)");
    make("MatMul (" + last() + ", " + constant("36,8", 288) + ")");
    make("Add (" + constant("8", 8) + ", " + last() + ")");
    const std::string x = last();
    make("Erf (" + x + ")");
    make("Mul (" + x + ", " + last() + ")");
    make("LayerNormalization <axis = -1> (" + last() + ", " + constant("8", 8) + ", " +
         constant("8", 8) + ")");
    const std::string normal = last();
    make("Transpose <perm = [1,0]> (" + normal + ")");
    make("MatMul (" + normal + ", " + last() + ")");
    make("Softmax (" + last() + ")");
    make("Gemm <transB = 1> (" + last() + ", " + constant("4,10", 40) + ", " + constant("4", 4) +
         ")");
    shape_ = "10,4";
  }

  std::mt19937& random_;
  std::vector<std::string> images_;
  std::string constants_, body_, shape_ = "2,5,6,6";
  int constants_count_ = 0;
};

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double relative_rms(std::span<const float> a, std::span<const float> b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
    size += double{b[i]} * b[i];
  }
  return size > 0 ? std::sqrt(error / size) : std::sqrt(error);
}

struct Case {
  std::string family;
  NpuOptions options;
};

/// Values of the interpreter and of the plan that a tap sees, and what was lost on the way.
struct Both {
  Values expected, found;
  std::vector<Effect> expected_effects, found_effects;
  std::size_t lowered = 0;
};

Both run_both(const Model& given, const Case& one, bool fuses) {
  const facts::Numerics chip = *facts::numerics(one.family);
  Both out;
  const auto keep = [&](Values& values) {
    return [&](ir::ValueId value, const Datum& datum) -> Status {
      if (datum.is_tensor()) values[given.model.values[value].name] = *datum.tensor.aligned();
      return {};
    };
  };
  const auto copied = [&](Values& values) {
    return [&](ir::ValueId value, const Datum& datum) -> Status {
      if (!datum.is_tensor() || value >= given.model.values.size()) return {};
      Tensor copy = *Tensor::make(datum.tensor.type(), datum.tensor.dims());
      std::copy_n(datum.tensor.data(), copy.bytes(), copy.mutable_data());
      values[given.model.values[value].name] = copy;
      return {};
    };
  };
  Npu reference(given.model, chip, one.options), npu(given.model, chip, one.options);
  const auto expected =
      run(given.model, given.inputs, {.arithmetic = &reference, .tap = keep(out.expected)});
  EXPECT_TRUE(expected) << expected.error().code;
  auto plan = Plan::make(given.model, {.fuses = fuses, .npu = &npu});
  EXPECT_TRUE(plan) << plan.error().code;
  const auto found = plan->run(given.inputs, copied(out.found));
  EXPECT_TRUE(found) << found.error().code;
  out.lowered = plan->lowered_steps();
  for (ir::ValueId value = 0; value < given.model.values.size(); ++value) {
    out.expected_effects.push_back(reference.effect(value));
    out.found_effects.push_back(npu.effect(value));
  }
  return out;
}

const Case kPrescribed[] = {
    {"ascend310p", {}},
    {"ascend310p", {.stores = Stores::kFused}},
    {"ascend310p", {.order = kernels::Order::kExact}},
    {"ascend310p", {.keeps_fp32 = true}},
    {"ascend910b", {.keeps_fp32 = true}},
    {"ascend910b", {.keeps_fp32 = false, .order = kernels::Order::kSequential}},
};

TEST(ChipPlan, PrescribedOrdersGiveTheInterpretersBits) {
  std::mt19937 random(7);
  std::size_t lowered = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string text = Writer(random).text(3 + static_cast<int>(random() % 9));
    const Model model = read(text, random);
    const Case& one = kPrescribed[static_cast<std::size_t>(i) % std::size(kPrescribed)];
    for (const bool fuses : {true, false}) {
      SCOPED_TRACE(one.family + (fuses ? " fused\n" : " apart\n") + text);
      const Both both = run_both(model, one, fuses);
      lowered += both.lowered;
      if (!fuses) {
        EXPECT_EQ(both.found.size(), both.expected.size());
      }
      for (const auto& [name, tensor] : both.found) {
        const auto a = tensor.type() == ir::ElementType::kFloat ? tensor.values<float>()
                                                                : std::span<const float>();
        const auto at = both.expected.find(name);
        ASSERT_NE(at, both.expected.end()) << name;
        ASSERT_EQ(tensor.dims(), at->second.dims()) << name;
        std::size_t differ = 0;
        for (std::size_t j = 0; j < a.size(); ++j)
          differ += !same(a[j], at->second.values<float>()[j]);
        ASSERT_EQ(differ, 0u) << name;
      }
      for (std::size_t value = 0; value < both.found_effects.size(); ++value) {
        const Effect &a = both.found_effects[value], &b = both.expected_effects[value];
        EXPECT_EQ(a.losses.overflows, b.losses.overflows) << model.model.values[value].name;
        EXPECT_EQ(a.losses.nans, b.losses.nans) << model.model.values[value].name;
        EXPECT_EQ(a.band, b.band);
      }
    }
  }
  EXPECT_GT(lowered, 300u);
}

TEST(ChipPlan, FreeOrdersStayInsideTheBand) {
  std::mt19937 random(8);
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,16,12,12] x) => (float[2,8,12,12] y)
<float[16,16,3,3] v = )" + [&] {
    std::normal_distribution<float> normal(0, 0.1f);
    std::string out = "{";
    for (int i = 0; i < 2304; ++i) out += (i ? ", " : "") + std::to_string(normal(random));
    return out + "}";
  }() + R"(,
 float[16] b = {1, -1, 0.5, 0.25, 1, -1, 0.5, 0.25, 1, -1, 0.5, 0.25, 1, -1, 0.5, 0.25},
 float[16] s = {1, 2, 0.5, 0.25, 1, 2, 0.5, 0.25, 1, 2, 0.5, 0.25, 1, 2, 0.5, 0.25},
 float[8,16,1,1] w = )" + [&] {
    std::normal_distribution<float> normal(0, 0.3f);
    std::string out = "{";
    for (int i = 0; i < 128; ++i) out += (i ? ", " : "") + std::to_string(normal(random));
    return out + "}";
  }() + R"(>
{
  a = Conv <pads = [1,1,1,1]> (x, v, b)
  n = BatchNormalization (a, s, b, b, s)
  r = Relu (n)
  c = Conv <pads = [1,1,1,1]> (r, v)
  d = Add (c, x)
  e = Sigmoid (d)
  f = Mul (d, e)
  m = MaxPool <kernel_shape = [3,3], pads = [1,1,1,1]> (f)
  y = Conv (m, w)
})";
  const Model model = read(text, random);
  const Case one{"ascend310p", {.order = std::nullopt}};
  for (const bool fuses : {true, false}) {
    const Both both = run_both(model, one, fuses);
    EXPECT_EQ(both.lowered, fuses ? 5u : 9u);
    for (const auto& [name, tensor] : both.found) {
      const ir::ValueId value = static_cast<ir::ValueId>(
          std::find_if(model.model.values.begin(), model.model.values.end(),
                       [&](const ir::Value& row) { return row.name == name; }) -
          model.model.values.begin());
      const double distance =
          relative_rms(tensor.values<float>(), both.expected.at(name).values<float>());
      EXPECT_LE(distance, 3 * both.found_effects[value].band) << name;
    }
  }
}

}  // namespace
}  // namespace godwit::exec
