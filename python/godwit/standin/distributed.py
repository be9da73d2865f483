"""torch_npu.distributed: the process group by its own name, and the forms for parts of unequal size."""
import torch
import torch.distributed as dist

from godwit import hccl
from godwit.standin import emulates

emulates("_C._distributed_c10d.ProcessGroupHCCL")(hccl.ProcessGroupHCCL)
emulates("distributed.reinit_process_group", "distributed.distributed_c10d.reinit_process_group")(hccl.reinit_process_group)


@emulates("distributed.all_gather_into_tensor_uneven", "distributed.distributed_c10d._all_gather_into_tensor_uneven")
def all_gather_into_tensor_uneven(output, input, output_split_sizes=None, group=None, async_op=False):
    """Rows of all ranks, one behind the other; `output_split_sizes` says how many each rank has."""
    parts = output.split(output_split_sizes or equal_parts(output, group))
    return dist.all_gather(list(parts), input, group, async_op)


@emulates("distributed.reduce_scatter_tensor_uneven", "distributed.distributed_c10d._reduce_scatter_tensor_uneven")
def reduce_scatter_tensor_uneven(output, input, input_split_sizes=None, op=dist.ReduceOp.SUM, group=None, async_op=False):
    """Sums of rows, each rank its part; `input_split_sizes` says how many rows each rank gets."""
    parts = input.split(input_split_sizes or equal_parts(input, group))
    return dist.reduce_scatter(output, list(parts), op, group, async_op)


def equal_parts(tensor: torch.Tensor, group) -> list:
    ranks = dist.get_world_size(group)
    return [tensor.size(0) // ranks] * ranks
