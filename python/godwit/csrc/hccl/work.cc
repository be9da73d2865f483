// Completion of collectives: gloo finishes on its own threads or, for sends and receives, inside
// wait().
#include "work.h"

#include <atomic>

namespace godwit::hccl {
namespace {

using c10::ivalue::Future;
using Works = std::vector<c10::intrusive_ptr<c10d::Work>>;

c10::intrusive_ptr<Future> future_of(const c10::intrusive_ptr<c10d::Work>& work) {
  try {
    return work->getFuture();
  } catch (const c10::Error&) {
    return {};  // a send or receive of gloo
  }
}

// Shared by the handle, which the caller may drop, and gloo's thread.
struct State {
  std::vector<at::Tensor> outputs;
  Finish finish;
  RecordPtr record;
  std::shared_ptr<Health> health;
  c10::intrusive_ptr<Future> future =
      c10::make_intrusive<Future>(c10::ListType::create(c10::TensorType::get()));
  std::atomic<size_t> open{0};
  std::mutex mutex;
  std::exception_ptr cause;

  void complete() {
    std::exception_ptr error = cause;
    try {
      if (!error && finish) finish();
    } catch (...) {
      error = std::current_exception();
    }
    finish = nullptr;
    end_record(*record);
    if (error) {
      future->setErrorIfNeeded(health->fail(*record, error));
    } else if (!future->completed()) {
      future->markCompleted(c10::IValue(outputs));
    }
  }

  void one_done(std::exception_ptr error) {
    {
      const std::lock_guard lock(mutex);
      if (error && !cause) cause = error;
    }
    if (--open == 0) complete();
  }
};

class HcclWork final : public c10d::Work {
 public:
  HcclWork(Works inner, std::shared_ptr<State> state) : state_(std::move(state)) {
    state_->open = inner.size() + 1;
    for (const auto& work : inner) {
      if (const auto future = future_of(work)) {
        future->addCallback([state = state_](Future& done) {
          state->one_done(done.hasError() ? done.exception_ptr() : std::exception_ptr());
        });
      } else {
        waited_.push_back(work);
      }
    }
    if (waited_.empty()) state_->one_done({});
  }

  // The last owner of a receive that nobody waited for: gloo must not write into memory that is
  // gone.
  ~HcclWork() override = default;

  bool isCompleted() override { return state_->future->completed(); }
  bool isSuccess() const override {
    return state_->future->completed() && !state_->future->hasError();
  }
  std::exception_ptr exception() const override {
    return state_->future->hasError() ? state_->future->exception_ptr() : std::exception_ptr();
  }
  std::vector<at::Tensor> result() override { return state_->outputs; }
  void synchronize() override { wait(kNoTimeout); }
#if GODWIT_TORCH >= 203
  uint64_t getSequencenumber() const override { return state_->record->sequence; }
#endif
  c10::intrusive_ptr<Future> getFuture() override {
    wait_for_transfers(kNoTimeout);
    return state_->future;
  }

  bool wait(std::chrono::milliseconds timeout) override {
    const int64_t start = now_ns();
    wait_for_transfers(timeout);
    state_->future->wait();
    add_wait(*state_->record, now_ns() - start);
    if (state_->future->hasError()) std::rethrow_exception(state_->future->exception_ptr());
    return true;
  }

 private:
  // Sends and receives have no thread of their own in gloo: they end when somebody waits.
  void wait_for_transfers(std::chrono::milliseconds timeout) {
    const std::lock_guard lock(waiting_);
    if (waited_.empty()) return;
    for (const auto& work : waited_) {
      std::exception_ptr error;
      try {
        work->wait(timeout);
      } catch (...) {
        error = std::current_exception();
      }
      state_->one_done(error);
    }
    waited_.clear();
    state_->one_done({});
  }

  std::shared_ptr<State> state_;
  std::mutex waiting_;
  Works waited_;
};

class JoinedWork final : public c10d::Work {
 public:
  explicit JoinedWork(Works works) : works_(std::move(works)) {}

  bool isCompleted() override {
    for (const auto& work : works_) {
      if (!work->isCompleted()) return false;
    }
    return true;
  }
  bool isSuccess() const override {
    for (const auto& work : works_) {
      if (!work->isSuccess()) return false;
    }
    return true;
  }
  void synchronize() override { wait(kNoTimeout); }
  bool wait(std::chrono::milliseconds timeout) override {
    for (const auto& work : works_) work->wait(timeout);
    return true;
  }
  std::vector<at::Tensor> result() override {
    std::vector<at::Tensor> all;
    for (const auto& work : works_) {
      const auto part = work->result();
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  c10::intrusive_ptr<Future> getFuture() override {
    wait(kNoTimeout);
    auto future = c10::make_intrusive<Future>(c10::ListType::create(c10::TensorType::get()));
    future->markCompleted(c10::IValue(result()));
    return future;
  }

 private:
  Works works_;
};

}  // namespace

std::exception_ptr Health::fail(const Record& record, const std::exception_ptr& cause) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = explain(place_, record, cause);
  return failure_;
}

void Health::check() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

c10::intrusive_ptr<c10d::Work> make_work(Works inner, std::vector<at::Tensor> outputs,
                                         Finish finish, RecordPtr record,
                                         std::shared_ptr<Health> health) {
  auto state = std::make_shared<State>();
  state->outputs = std::move(outputs);
  state->finish = std::move(finish);
  state->record = std::move(record);
  state->health = std::move(health);
  return c10::make_intrusive<HcclWork>(std::move(inner), std::move(state));
}

c10::intrusive_ptr<c10d::Work> join_works(Works works) {
  if (works.size() == 1) return works.front();
  return c10::make_intrusive<JoinedWork>(std::move(works));
}

}  // namespace godwit::hccl
