// Hashes: SHA-256 for manifests that others check, and a fast one for keys in memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace godwit {

/// FIPS 180-4 SHA-256, fed in pieces.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// 64 lower-case hex digits; the object must not be used afterwards.
  std::string finish();

 private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, 64> pending_{};
  std::size_t used_ = 0;
  std::uint64_t total_ = 0;
};

std::string sha256(std::string_view bytes);

/// FNV-1a with a final mix: stable between runs and machines, not for hostile keys.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace godwit
