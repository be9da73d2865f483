// Devices, streams and events. Work runs in the order it is issued, so every stream is up to date
// and an event is a time.
#include <array>
#include <atomic>
#include <chrono>

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

#include "device.h"

namespace godwit {
namespace {

using Clock = std::chrono::steady_clock;
using c10::Device;
using c10::DeviceIndex;
using c10::Stream;

thread_local std::array<c10::StreamId, 64> streams{};
std::atomic<c10::StreamId> next_stream{1};

Stream stream_of(Device device, c10::StreamId id) {
  return Stream(Stream::UNSAFE, resolve(device), id);
}

struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kNpu; }

  Device exchangeDevice(Device device) const override {
    const Device old = getDevice();
    setDevice(device);
    return old;
  }
  Device getDevice() const override { return {kNpu, current_card()}; }
  void setDevice(Device device) const override {
    check_card(device.index());
    set_current_card(device.index());
  }
  void uncheckedSetDevice(Device device) const noexcept override {
    set_current_card(device.index());
  }
  DeviceIndex deviceCount() const noexcept override { return card_count(); }

  Stream getStream(Device device) const noexcept override {
    return stream_of(device, streams[static_cast<size_t>(resolve(device).index())]);
  }
  Stream getDefaultStream(Device device) const override { return stream_of(device, 0); }
  Stream getNewStream(Device device, int) const { return new_stream(device); }
  Stream getStreamFromGlobalPool(Device device, bool) const override { return new_stream(device); }
  Stream exchangeStream(Stream stream) const noexcept override {
    c10::StreamId& current = streams[static_cast<size_t>(stream.device_index())];
    const Stream old = stream_of(stream.device(), current);
    current = stream.id();
    return old;
  }
  bool queryStream(const Stream&) const override { return true; }
  void synchronizeStream(const Stream&) const override {}
  void synchronizeDevice(const DeviceIndex) const { touch(); }

  void record(void** event, const Stream&, const DeviceIndex, const c10::EventFlag) const override {
    if (!*event) *event = new Clock::time_point;
    *static_cast<Clock::time_point*>(*event) = Clock::now();
  }
  void block(void*, const Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void synchronizeEvent(void*) const {}
  void destroyEvent(void* event, const DeviceIndex) const noexcept override {
    delete static_cast<Clock::time_point*>(event);
  }
  double elapsedTime(void* from, void* to, const DeviceIndex) const {
    TORCH_CHECK(from && to, "Both events must be recorded before calculating elapsed time.");
    const auto passed =
        *static_cast<Clock::time_point*>(to) - *static_cast<Clock::time_point*>(from);
    return std::chrono::duration<double, std::milli>(passed).count();
  }

 private:
  static Stream new_stream(Device device) {
    touch();
    return stream_of(device, next_stream++);
  }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

}  // namespace
}  // namespace godwit
