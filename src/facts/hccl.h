// Collectives: which ones HCCL offers on a chip, with dtypes, reductions and limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/soc.h"

namespace godwit::facts {

/// conflict: two pages of the vendor contradict each other; test on a device.
enum class CollectiveSupport : std::uint8_t { kUnknown, kYes, kNo, kConflict };

std::string_view to_string(CollectiveSupport support);

struct Collective {
  std::string name{};  // "AllReduce", as HCCL spells it
  CollectiveSupport support = CollectiveSupport::kUnknown;
  std::vector<std::string> dtypes{};  // "fp16"; empty: not listed
  std::vector<std::string> reduce{};  // "sum", "prod", "max", "min"
  std::string reduce_exceptions{};    // "prod|max|min:not_i16"
  std::optional<std::int64_t> max_ranks{};
  Flag within_node = Flag::kUnknown, between_nodes = Flag::kUnknown;
  std::vector<std::string> restrictions{};
  std::string modes{}, source{}, at{};
};

/// A collective on a chip; one that no row names is unknown, not missing.
Result<Collective> find_collective(std::string_view name, const Soc& soc);

/// The HCCL collectives behind a function of torch.distributed ("all_reduce" → "AllReduce",
/// "gather" → "Broadcast" and "AllGather"); empty when we know of none.
Result<std::vector<std::string>> collectives_of(std::string_view torch_distributed_name);

/// The one of them that the chip supports least; none when we know of none.
Result<std::optional<Collective>> weakest_collective(std::string_view torch_distributed_name,
                                                     const Soc& soc);

/// AllReduce and AllGather are there: gradients can be averaged, and the other collectives that
/// DistributedDataParallel needs can be made of them, as `godwit port --cards` does.
bool can_share_gradients(const Soc& soc);

}  // namespace godwit::facts
