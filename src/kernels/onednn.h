// The functions of oneDNN's C interface that engine.cc uses, found in the library at run time.
#pragma once

#if __has_include(<oneapi/dnnl/dnnl.h>)

#include <oneapi/dnnl/dnnl.h>

namespace godwit::kernels::engine {

struct OneDnn {
  decltype(&dnnl_version) version = nullptr;
  decltype(&dnnl_engine_create) engine_create = nullptr;
  decltype(&dnnl_stream_create) stream_create = nullptr;
  decltype(&dnnl_stream_wait) stream_wait = nullptr;
  decltype(&dnnl_memory_desc_init_by_tag) desc_by_tag = nullptr;
  decltype(&dnnl_memory_desc_init_by_strides) desc_by_strides = nullptr;
  decltype(&dnnl_memory_desc_equal) desc_equal = nullptr;
  decltype(&dnnl_memory_desc_get_size) desc_size = nullptr;
  decltype(&dnnl_memory_create) memory_create = nullptr;
  decltype(&dnnl_memory_destroy) memory_destroy = nullptr;
  decltype(&dnnl_dilated_convolution_forward_desc_init) conv_init = nullptr;
  decltype(&dnnl_matmul_desc_init) matmul_init = nullptr;
  decltype(&dnnl_pooling_v2_forward_desc_init) pool_init = nullptr;
  decltype(&dnnl_reorder_primitive_desc_create) reorder_create = nullptr;
  decltype(&dnnl_primitive_desc_create) desc_create = nullptr;
  decltype(&dnnl_primitive_desc_destroy) desc_destroy = nullptr;
  decltype(&dnnl_primitive_desc_query_md) query_md = nullptr;
  decltype(&dnnl_primitive_create) primitive_create = nullptr;
  decltype(&dnnl_primitive_destroy) primitive_destroy = nullptr;
  decltype(&dnnl_primitive_execute) execute = nullptr;
  decltype(&dnnl_primitive_attr_create) attr_create = nullptr;
  decltype(&dnnl_primitive_attr_destroy) attr_destroy = nullptr;
  decltype(&dnnl_primitive_attr_set_post_ops) attr_set_post_ops = nullptr;
  decltype(&dnnl_post_ops_create) post_ops_create = nullptr;
  decltype(&dnnl_post_ops_destroy) post_ops_destroy = nullptr;
  decltype(&dnnl_post_ops_append_sum) append_sum = nullptr;
  decltype(&dnnl_post_ops_append_eltwise) append_eltwise = nullptr;
  decltype(&dnnl_post_ops_append_binary) append_binary = nullptr;
  void (*set_threads)(int) = nullptr;  // of the OpenMP that the library uses

  dnnl_engine_t cpu = nullptr;
  dnnl_stream_t stream = nullptr;
};

/// Null if the library is not there, is not of version 2, or lacks a function.
const OneDnn* onednn();

}  // namespace godwit::kernels::engine

#endif
