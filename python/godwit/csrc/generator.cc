// A generator of the device owns a CPU generator and forwards to it.
#include "generator.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/library.h>

namespace godwit {
namespace {

struct NpuGenerator final : c10::GeneratorImpl {
  NpuGenerator(c10::DeviceIndex card, at::Generator host)
      : c10::GeneratorImpl({kNpu, card}, c10::DispatchKeySet(kNpuKey)), host_(std::move(host)) {}
  explicit NpuGenerator(c10::DeviceIndex card)
      : NpuGenerator(card, at::detail::createCPUGenerator()) {}

  static c10::DeviceType device_type() { return kNpu; }

  void set_current_seed(uint64_t seed) override { host_.set_current_seed(seed); }
#if GODWIT_TORCH >= 201
  void set_offset(uint64_t offset) override { host_.set_offset(offset); }
  uint64_t get_offset() const override { return host_.get_offset(); }
#endif
  uint64_t current_seed() const override { return host_.current_seed(); }
  uint64_t seed() override { return host_.seed(); }
  void set_state(const c10::TensorImpl& state) override {
    host_.unsafeGetGeneratorImpl()->set_state(state);
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    return host_.unsafeGetGeneratorImpl()->get_state();
  }

  const at::Generator& host() const { return host_; }

 private:
  NpuGenerator* clone_impl() const override {
    return new NpuGenerator(device().index(), host_.clone());
  }

  at::Generator host_;
};

c10::DeviceIndex named(c10::DeviceIndex card) { return card < 0 ? current_card() : card; }

std::mutex swap_mutex;

const at::Generator& shared() { return at::detail::getDefaultCPUGenerator(); }

HostNumbers numbers(const at::Generator& generator) {
  auto* const cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
  const std::lock_guard<std::mutex> lock(cpu->mutex_);
  return {cpu->engine(), cpu->next_float_normal_sample(), cpu->next_double_normal_sample()};
}

void continue_from(const HostNumbers& numbers, const at::Generator& generator) {
  auto* const cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
  const std::lock_guard<std::mutex> lock(cpu->mutex_);
  cpu->set_engine(numbers.engine);
  cpu->set_next_float_normal_sample(numbers.next_float);
  cpu->set_next_double_normal_sample(numbers.next_double);
}

}  // namespace

const at::Generator& default_generator(c10::DeviceIndex card) {
  static const auto* const all = [] {
    auto* made = new std::vector<at::Generator>;
    for (c10::DeviceIndex i = 0; i < 64; ++i) made->push_back(at::make_generator<NpuGenerator>(i));
    return made;
  }();
  return (*all)[static_cast<size_t>(named(card))];
}

at::Generator new_generator(c10::DeviceIndex card) {
  return at::make_generator<NpuGenerator>(named(card));
}

at::Generator host_generator(const at::Generator& generator) {
  return static_cast<NpuGenerator*>(generator.unsafeGetGeneratorImpl())->host();
}

DefaultGeneratorSwap::DefaultGeneratorSwap(c10::DeviceIndex card)
    : lock_(swap_mutex), card_(host_generator(default_generator(card))), saved_(numbers(shared())) {
  continue_from(numbers(card_), shared());
}

DefaultGeneratorSwap::~DefaultGeneratorSwap() {
  continue_from(numbers(shared()), card_);
  continue_from(saved_, shared());
}

}  // namespace godwit

TORCH_LIBRARY_FRAGMENT(godwit, m) {
  m.def("default_generator(int card) -> Generator?", [](int64_t card) {
    return godwit::default_generator(static_cast<c10::DeviceIndex>(card));
  });
}
