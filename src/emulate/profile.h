// The device profile: everything that an emulated device must know about its chip, in one document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "facts/soc.h"

namespace godwit::emulate {

/// What the user asks of the device; texts as they were given, empty: not given.
struct Options {
  std::string to{};         // chip, family or product
  std::string cards{};      // "2"; default: devices on one card of the product
  std::string memory{};     // "24G" per card; default: that of the chip
  std::string missing{};    // error, fallback, warn: what an operator without a kernel does
  std::string numerics{};   // on, off
  std::string report{};     // file that receives the operator trace at exit
  std::string steps{};      // "3": the command ends after so many
  std::string fault{};      // "rank=1,step=20,kill"
  std::string traffic{};    // file that receives the communication of all ranks
  std::string torch_npu{};  // release of torch_npu; default: the newest that `torch` has
  std::string torch{};      // "2.13.0", the installed torch; empty: not known
};

constexpr std::int64_t kMostCards = 64;  // streams and generators are kept per device

/// "24G", "512M", "1.5GiB", "21500000000": K, M, G and T are powers of 1024, as in launch scripts.
/// Nothing when it is no size or none that a device can have (1 MiB to 1 PiB).
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// A number of steps, from 1; nothing for an empty text. Errors: E250.
Result<std::optional<std::int64_t>> parse_steps(std::string_view text);

/// Whether a device can be what is asked; the errors of device_profile, without reading a table.
Status check_options(const Options& options);

/// The document that docs/en/emulate.md describes. Errors: E240 cards, E241 memory, E242 the
/// memory of the chip is not known, E249 the fault, E250 steps, those of facts for chip and
/// release.
Result<Json> device_profile(const Options& options);

/// Parts of it.
Result<Json> operators(const facts::Soc& soc, std::string_view torch);  // operators.cc
Result<Json> autocast_policies();                                       // tables.cc
Result<Json> cpu_fallbacks(std::string_view release);
Result<Json> defaults(const facts::Soc& soc);
Result<Json> collectives(const facts::Soc& soc);
/// {"rank": 1, "step": 20, "call": 0, "action": "kill", "seconds": 0, "factor": 1} of
/// "rank=1,step=20,kill"; null for an empty text. Errors: E249.
Result<Json> parse_fault(std::string_view text);  // fault.cc
Result<Json> names(std::string_view release);     // every name under torch_npu, with its kind
Result<Json> patched_names(std::string_view release);
Result<Json> custom_schemas(std::string_view release);  // of the npu:: operators

/// The release of torch_npu whose tables are used, and why.
struct Release {
  std::string wanted{};  // as asked, or the newest that the installed torch has
  std::string read{};    // the one whose tables are used
};
/// `asked` as given, else the newest release for `torch`. Errors: E243 no release is that old.
Result<Release> choose_torch_npu(std::string_view asked, std::string_view torch);

}  // namespace godwit::emulate
