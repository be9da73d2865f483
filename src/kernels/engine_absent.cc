// The engine of a build without oneDNN's headers: it is never there.
#include "kernels/engine.h"

#if !__has_include(<oneapi/dnnl/dnnl.h>)

namespace godwit::kernels::engine {

struct LayoutData {};
struct PrimitiveData {};

bool is_available() { return false; }
std::string version() { return ""; }
Layout Layout::plain(std::span<const std::size_t>) { return {}; }
bool Layout::is_plain() const { return false; }
std::size_t Layout::channel_block() const { return 1; }
std::size_t Layout::bytes() const { return 0; }
bool Layout::equals(const Layout& other) const { return is_any() == other.is_any(); }
void Primitive::run(const float*, float*, std::span<const float* const>) const {}
std::optional<Primitive> make_conv(const ConvShape&, const float*, const float*,
                                   std::span<const PostOp>, const Layout&, const Layout&) {
  return std::nullopt;
}
std::optional<Primitive> make_matmul(std::size_t, std::size_t, std::size_t, const MatrixView&,
                                     const float*, std::span<const PostOp>) {
  return std::nullopt;
}
std::optional<Primitive> make_pool(const PoolShape&, std::size_t, bool, const Layout&) {
  return std::nullopt;
}
std::optional<Primitive> make_reorder(const Layout&, const Layout&) { return std::nullopt; }

}  // namespace godwit::kernels::engine

#endif
