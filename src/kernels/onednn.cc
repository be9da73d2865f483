// Loads oneDNN 2 and finds its functions.
#include "kernels/onednn.h"

#if __has_include(<oneapi/dnnl/dnnl.h>)

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace godwit::kernels::engine {
namespace {

class Library {
 public:
  explicit Library(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  // Also among the libraries that the library needs. Clears `complete_` if there is none.
  template <class Function>
  void find(Function*& function, const char* name) {
    void* const symbol = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
    function = reinterpret_cast<Function*>(symbol);
    complete_ = complete_ && symbol != nullptr;
  }

  bool is_complete() const { return complete_; }

 private:
  void* handle_;  // never closed: its threads and generated code live on
  bool complete_ = true;
};

bool find_primitives(Library& library, OneDnn& f) {
  library.find(f.desc_create, "dnnl_primitive_desc_create");
  library.find(f.desc_destroy, "dnnl_primitive_desc_destroy");
  library.find(f.query_md, "dnnl_primitive_desc_query_md");
  library.find(f.primitive_create, "dnnl_primitive_create");
  library.find(f.primitive_destroy, "dnnl_primitive_destroy");
  library.find(f.execute, "dnnl_primitive_execute");
  library.find(f.attr_create, "dnnl_primitive_attr_create");
  library.find(f.attr_destroy, "dnnl_primitive_attr_destroy");
  library.find(f.attr_set_post_ops, "dnnl_primitive_attr_set_post_ops");
  library.find(f.post_ops_create, "dnnl_post_ops_create");
  library.find(f.post_ops_destroy, "dnnl_post_ops_destroy");
  library.find(f.append_sum, "dnnl_post_ops_append_sum");
  library.find(f.append_eltwise, "dnnl_post_ops_append_eltwise");
  library.find(f.append_binary, "dnnl_post_ops_append_binary");
  library.find(f.conv_init, "dnnl_dilated_convolution_forward_desc_init");
  library.find(f.matmul_init, "dnnl_matmul_desc_init");
  library.find(f.pool_init, "dnnl_pooling_v2_forward_desc_init");
  library.find(f.reorder_create, "dnnl_reorder_primitive_desc_create");
  return library.is_complete();
}

bool find_memory(Library& library, OneDnn& f) {
  library.find(f.version, "dnnl_version");
  library.find(f.engine_create, "dnnl_engine_create");
  library.find(f.stream_create, "dnnl_stream_create");
  library.find(f.stream_wait, "dnnl_stream_wait");
  library.find(f.desc_by_tag, "dnnl_memory_desc_init_by_tag");
  library.find(f.desc_by_strides, "dnnl_memory_desc_init_by_strides");
  library.find(f.desc_equal, "dnnl_memory_desc_equal");
  library.find(f.desc_size, "dnnl_memory_desc_get_size");
  library.find(f.memory_create, "dnnl_memory_create");
  library.find(f.memory_destroy, "dnnl_memory_destroy");
  return library.is_complete();
}

std::unique_ptr<OneDnn> load() {
  const char* const wish = std::getenv("GODWIT_ONEDNN");
  if (wish != nullptr && std::string_view(wish) == "off") return nullptr;
  // OpenMP's threads spin for milliseconds when they wait: beside our own threads and those of
  // other programs that costs up to ten times the work, and not to spin costs a tenth of a
  // ResNet-50 in waking them. This many rounds last some 30 us. Read by libgomp when it is loaded.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "10000", 0);
  Library library("libdnnl.so.2");
  auto functions = std::make_unique<OneDnn>();
  if (!find_memory(library, *functions) || !find_primitives(library, *functions)) return nullptr;
  if (functions->version()->major != 2) return nullptr;
  library.find(functions->set_threads, "omp_set_num_threads");  // builds without OpenMP lack it
  if (functions->engine_create(&functions->cpu, dnnl_cpu, 0) != dnnl_success ||
      functions->stream_create(&functions->stream, functions->cpu, dnnl_stream_default_flags) !=
          dnnl_success) {
    return nullptr;
  }
  return functions;
}

}  // namespace

const OneDnn* onednn() {
  // Not destroyed: primitives may outlive every static object.
  static const OneDnn* const functions = load().release();
  return functions;
}

}  // namespace godwit::kernels::engine

#endif
