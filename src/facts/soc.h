// Chips: what `--to` names, and the abilities and sizes of that chip.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "facts/verdict.h"

namespace godwit::facts {

/// One ability of a family with the reason we believe it.
struct Ability {
  std::string value{}, basis{}, source{}, at{};
};

/// What an fp32 product ends in: fp16 without being asked; or HF32 where its switch is on, as it is
/// for convolution by default.
enum class Fp32Matmul : std::uint8_t { kUnknown, kFp16, kHf32, kFp32 };

/// Planning constants of the platform file; bytes, MHz. 0: not stated.
struct SocSizes {
  std::uint64_t memory = 0, l2 = 0, l1 = 0, l0a = 0, l0b = 0, l0c = 0, ub = 0;
  std::int64_t ai_cores = 0, cube_cores = 0, vector_cores = 0, ai_cpus = 0;
  std::int64_t cube_mhz = 0, vector_mhz = 0;
};

/// One chip. Ask it for a property; never compare its name.
struct Soc {
  std::string soc_version{};  // "Ascend310P3", as --soc_version of ATC takes it
  std::string family{};       // "ascend310p": key of the operator registry and of our tables
  std::string short_name{};   // "310p"
  std::vector<std::string> series{};  // terms of the documents: "Atlas inference series"
  SocSizes sizes{};

  Flag bf16 = Flag::kUnknown;
  Flag fp64 = Flag::kUnknown;       // no: tensors become fp32, operators run on the AI CPU
  Flag saturates = Flag::kUnknown;  // overflow gives the largest finite number, not inf
  Flag training = Flag::kUnknown;   // no: an inference part
  Flag jit_compile_default = Flag::kUnknown;
  Flag internal_format_default = Flag::kUnknown;
  Flag aclop = Flag::kUnknown;  // has the older path that compiles operators on line
  Flag triton = Flag::kUnknown;
  Flag foreach_fused = Flag::kUnknown;
  Flag bf16_api_says = Flag::kUnknown;  // torch.npu.is_bf16_supported(), which can be wrong
  Fp32Matmul fp32_matmul = Fp32Matmul::kUnknown;
  std::string complex{};  // "yes", "jit_off_only", "" unknown
  std::string precision_mode_default{};

  std::map<std::string, Ability, std::less<>> abilities{};  // all of the above with their basis
  Json constants{};  // the whole platform file: [cores] [bytes] [rates] [types] …
};

/// What the user meant by `--to`.
struct Target {
  Soc soc{};
  std::string product{};     // "Atlas 300I Duo", empty when a chip or family was named
  std::int64_t devices = 1;  // devices per card; 1 when not stated
  std::vector<std::uint64_t> memory_options{};  // bytes per device, smallest first; may be empty
  std::string message_key{};  // "target.family", "target.chip" or "target.product"
  Args message_args{};

  /// Bytes of one device to plan with: the smallest option, else the platform file's figure; 0
  /// unknown.
  std::uint64_t memory() const;
  /// One sentence in the language of the user: how the text was understood.
  std::string understood() const;
};

/// Takes a soc_version ("Ascend310P3", "310P3"), a family ("ascend310p") or a product
/// ("Atlas 300I Pro"); a name in other casing is fine as long as it can mean one chip only.
/// `soc:NAME`, `family:NAME` and `product:NAME` force one reading.
/// Errors: E024 unknown (nearest names), E025 two meanings (both are listed).
Result<Target> resolve_target(std::string_view text);

/// A chip by its exact soc_version. Errors: E024.
Result<Soc> load_soc(std::string_view soc_version);

std::vector<std::string> soc_versions();  // sorted
std::vector<std::string> families();      // sorted
Result<std::vector<std::string>> products();

}  // namespace godwit::facts
