// Descriptions of memory, post-ops and executions.
#include "kernels/engine_parts.h"

#if __has_include(<oneapi/dnnl/dnnl.h>)

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace godwit::kernels::engine {

dnnl_memory_desc_t plain_desc(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * std::max<dnnl_dim_t>(1, dims[i]);
  }
  dnnl_memory_desc_t desc{};
  onednn()->desc_by_strides(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32,
                            strides.data());
  return desc;
}

dnnl_memory_desc_t any_desc(const Dims& dims) {
  dnnl_memory_desc_t desc{};
  onednn()->desc_by_tag(&desc, static_cast<int>(dims.size()), dims.data(), dnnl_f32,
                        dnnl_format_tag_any);
  return desc;
}

Layout Layout::plain(std::span<const std::size_t> dims) {
  if (onednn() == nullptr) return {};
  Dims wide;
  for (const std::size_t dim : dims) wide.push_back(to_dim(dim));
  return LayoutAccess::make(plain_desc(wide));
}

bool Layout::is_plain() const {
  if (is_any()) return false;
  const dnnl_memory_desc_t& desc = data_->desc;
  const dnnl_memory_desc_t plain = plain_desc(Dims(desc.dims, desc.dims + desc.ndims));
  return onednn()->desc_equal(&desc, &plain) != 0;
}

std::size_t Layout::channel_block() const {
  if (is_any()) return 1;
  const dnnl_memory_desc_t& desc = data_->desc;
  const dnnl_blocking_desc_t& order = desc.format_desc.blocking;
  const bool is_filled =
      !std::equal(desc.dims, desc.dims + desc.ndims, std::begin(desc.padded_dims));
  if (desc.format_kind != dnnl_blocked || desc.ndims < 3 || is_filled || order.inner_nblks > 1)
    return 0;
  if (order.inner_nblks == 1 && order.inner_idxs[0] != 1) return 0;
  dnnl_dim_t block = 1;
  if (order.inner_nblks == 1)
    block = order.inner_blks[0];
  else if (order.strides[1] == 1)
    block = desc.dims[1];
  // Dense in this order?
  dnnl_dim_t step = block;
  for (int axis = desc.ndims; axis-- > 2; step *= desc.dims[axis]) {
    if (desc.dims[axis] != 1 && order.strides[axis] != step) return 0;
  }
  const bool has_blocks = desc.dims[1] > block;
  if (has_blocks && order.strides[1] != step) return 0;
  step *= desc.dims[1] / block;
  const bool is_dense = desc.dims[0] == 1 || order.strides[0] == step;
  return is_dense ? static_cast<std::size_t>(block) : 0;
}

std::size_t Layout::bytes() const { return is_any() ? 0 : onednn()->desc_size(&data_->desc); }

bool Layout::equals(const Layout& other) const {
  if (is_any() || other.is_any()) return is_any() == other.is_any();
  return onednn()->desc_equal(&data_->desc, &other.data_->desc) != 0;
}

namespace {

// OpenMP keeps this number for each thread that calls; a primitive plans for the number that holds
// when it is made.
void use_our_threads() {
  if (onednn()->set_threads != nullptr) onednn()->set_threads(static_cast<int>(thread_count()));
}

// Arguments of one execution; destroys its memory objects, not the memory.
class Arguments {
 public:
  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    for (std::size_t i = 0; i < count_; ++i) onednn()->memory_destroy(list_[i].memory);
  }

  void add(int argument, const dnnl_memory_desc_t& desc, const float* data) {
    dnnl_memory_t memory = nullptr;
    if (count_ == list_.size() ||
        onednn()->memory_create(&memory, &desc, onednn()->cpu, const_cast<float*>(data)) !=
            dnnl_success) {
      return;
    }
    list_[count_++] = {argument, memory};
  }

  void execute(dnnl_primitive_t primitive) const {
    use_our_threads();
    onednn()->execute(primitive, onednn()->stream, static_cast<int>(count_), list_.data());
    onednn()->stream_wait(onednn()->stream);
  }

 private:
  std::array<dnnl_exec_arg_t, 16> list_{};
  std::size_t count_ = 0;
};

dnnl_alg_kind_t eltwise_kind(PostOp::Kind kind) {
  switch (kind) {
    case PostOp::Kind::kClip: return dnnl_eltwise_clip;
    case PostOp::Kind::kGelu: return dnnl_eltwise_gelu_erf;
    case PostOp::Kind::kGeluTanh: return dnnl_eltwise_gelu_tanh;
    case PostOp::Kind::kSilu: return dnnl_eltwise_swish;
    case PostOp::Kind::kSigmoid: return dnnl_eltwise_logistic;
    case PostOp::Kind::kTanh: return dnnl_eltwise_tanh;
    default: return dnnl_eltwise_relu;
  }
}

// The post-ops as an attribute; destroyed with this.
class Attribute {
 public:
  explicit Attribute(std::span<const PostOp> post) {
    onednn()->attr_create(&attribute_);
    onednn()->post_ops_create(&post_ops_);
    for (const PostOp& op : post) {
      if (op.kind == PostOp::Kind::kSum) {
        ok_ = ok_ && onednn()->append_sum(post_ops_, 1.0f) == dnnl_success;
      } else if (op.kind == PostOp::Kind::kAdd) {
        ok_ = ok_ && !op.other.is_any() &&
              onednn()->append_binary(post_ops_, dnnl_binary_add, &LayoutAccess::desc(op.other)) ==
                  dnnl_success;
      } else {
        const float a = op.kind == PostOp::Kind::kSilu ? 1.0f : op.a;
        ok_ = ok_ && onednn()->append_eltwise(post_ops_, 1.0f, eltwise_kind(op.kind), a, op.b) ==
                         dnnl_success;
      }
    }
    onednn()->attr_set_post_ops(attribute_, post_ops_);
  }
  Attribute(const Attribute&) = delete;
  Attribute& operator=(const Attribute&) = delete;
  ~Attribute() {
    onednn()->post_ops_destroy(post_ops_);
    onednn()->attr_destroy(attribute_);
  }

  bool is_ok() const { return ok_; }
  const_dnnl_primitive_attr_t get() const { return attribute_; }

 private:
  dnnl_primitive_attr_t attribute_ = nullptr;
  dnnl_post_ops_t post_ops_ = nullptr;
  bool ok_ = true;
};

void copy_into(const dnnl_memory_desc_t& from, const float* source, const dnnl_memory_desc_t& to,
               Buffer& target) {
  target = Buffer(onednn()->desc_size(&to) / sizeof(float));
  const auto reorder = make_reorder(LayoutAccess::make(from), LayoutAccess::make(to));
  if (reorder) reorder->run(source, target.data());
}

void keep_constants(const_dnnl_primitive_desc_t desc, const Constants& constants,
                    PrimitiveData& data) {
  if (constants.weights != nullptr) {
    data.weights_desc = *onednn()->query_md(desc, dnnl_query_weights_md, 0);
    copy_into(constants.weights_desc, constants.weights, data.weights_desc, data.weights);
  }
  if (constants.bias != nullptr) {
    data.bias_desc = constants.bias_desc;
    copy_into(constants.bias_desc, constants.bias, data.bias_desc, data.bias);
  }
}

void keep_others(std::span<const PostOp> post, PrimitiveData& data) {
  for (std::size_t i = 0; i < post.size(); ++i) {
    if (post[i].kind != PostOp::Kind::kAdd) continue;
    const int argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i)) | DNNL_ARG_SRC_1;
    data.others.emplace_back(argument, LayoutAccess::desc(post[i].other));
  }
}

}  // namespace

std::optional<Primitive> PrimitiveAccess::make(const_dnnl_op_desc_t op,
                                               std::span<const PostOp> post,
                                               const Constants& constants) {
  use_our_threads();
  const Attribute attribute(post);
  dnnl_primitive_desc_t desc = nullptr;
  if (!attribute.is_ok() ||
      onednn()->desc_create(&desc, op, attribute.get(), onednn()->cpu, nullptr) != dnnl_success) {
    return std::nullopt;
  }
  return build(desc, post, constants);
}

std::optional<Primitive> PrimitiveAccess::build(dnnl_primitive_desc_t desc,
                                                std::span<const PostOp> post,
                                                const Constants& constants) {
  auto data = std::make_shared<PrimitiveData>();
  const bool made = onednn()->primitive_create(&data->primitive, desc) == dnnl_success;
  Primitive primitive;
  if (made) {
    primitive.in_ = LayoutAccess::make(*onednn()->query_md(desc, dnnl_query_src_md, 0));
    primitive.out_ = LayoutAccess::make(*onednn()->query_md(desc, dnnl_query_dst_md, 0));
    keep_constants(desc, constants, *data);
    keep_others(post, *data);
  }
  onednn()->desc_destroy(desc);
  primitive.data_ = std::move(data);
  return made ? std::optional(std::move(primitive)) : std::nullopt;
}

void Primitive::run(const float* in, float* out, std::span<const float* const> others) const {
  Arguments arguments;
  arguments.add(DNNL_ARG_SRC, LayoutAccess::desc(in_), in);
  arguments.add(DNNL_ARG_DST, LayoutAccess::desc(out_), out);
  if (data_->weights.size() != 0) {
    arguments.add(DNNL_ARG_WEIGHTS, data_->weights_desc, data_->weights.data());
  }
  if (data_->bias.size() != 0) {
    arguments.add(DNNL_ARG_BIAS, data_->bias_desc, data_->bias.data());
  }
  for (std::size_t i = 0; i < others.size() && i < data_->others.size(); ++i) {
    arguments.add(data_->others[i].first, data_->others[i].second, others[i]);
  }
  arguments.execute(data_->primitive);
}

}  // namespace godwit::kernels::engine

#endif
