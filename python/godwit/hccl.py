"""Backend "hccl" of the emulated device: registers it with torch.distributed, under the rules of the profile's chip.

The work is done in csrc/hccl/, on gloo; here is what only Python can do: build the process group, turn the facts of the
profile into refusals with a text, and the functions that torch_npu replaces in torch.distributed.
"""
import faulthandler
import os
import signal
import tempfile
import warnings
from datetime import timedelta

import torch
import torch.distributed as dist

from godwit import fault, traffic
from godwit.texts import text

TYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "fp16", "fp32", "fp64", "bf16")
REDUCTIONS = ("sum", "prod", "max", "min")
DEFAULT_EXEC_TIMEOUT = 1836  # seconds, of HCCL_EXEC_TIMEOUT
DEFAULT_CONNECT_TIMEOUT = 120  # seconds, of HCCL_CONNECT_TIMEOUT
STACK_SIGNAL = signal.SIGRTMIN + 6  # writes the Python stack of a rank that the others miss


def register(profile: dict) -> None:
    """Makes "hccl" a backend of torch.distributed for npu tensors. Once per process, with the device active."""
    global _rules
    rules = _rules = Rules(profile)
    torch.ops.godwit.hccl_configure(rules.texts, rules.refusals, rules.doubts, rules.most_ranks, rules.missing,
                                    rules.one_process_per_card)
    if "hccl" not in dist.Backend.backend_list:
        dist.Backend.register_backend("hccl", make_group, extended_api=True, devices=["npu"])
    dist.is_hccl_available = is_hccl_available
    dist.reinit_process_group = reinit_process_group
    replace_gathers()
    fault.arm(profile.get("fault"), rules.texts)
    traffic.at_exit(profile, rules.texts)


_rules = None


def is_hccl_available() -> bool:
    return "hccl" in dist.Backend.backend_list


def reinit_process_group(group=None, rebuild_link=True):
    """torch_npu makes a broken communicator anew; the emulated one cannot be mended, so a new group is the way."""
    raise NotImplementedError(text("hccl.reinit"))


class ProcessGroupHCCL:
    """torch_npu._C._distributed_c10d.ProcessGroupHCCL: calling it makes a backend, as init_process_group does."""

    class Options:
        """Settings of a communicator; they are kept and change nothing here."""

        def __init__(self, is_high_priority_stream=False):
            self.is_high_priority_stream = is_high_priority_stream
            self._timeout = timedelta(minutes=30)
            self.global_ranks_in_group, self.group_id, self.hccl_config = [], "", {}

    def __new__(cls, store, rank, size, options=None):
        options = options or cls.Options()
        given = dist.distributed_c10d._DistributedBackendOptions()
        given.store, given.group_rank, given.group_size = store, rank, size
        given.timeout, given.group_id = options._timeout, options.group_id
        given.global_ranks_in_group = options.global_ranks_in_group
        return make_group(given, options)


class Rules:
    """The chip's collectives as csrc/hccl/rules.cc looks them up: "Broadcast", "AllReduce i64", "AllReduce i16 prod"."""

    def __init__(self, profile: dict):
        table = profile.get("hccl") or {}
        self.texts = {key: said for key, said in profile.get("texts", {}).items() if key.startswith("hccl_")}
        self.chip = chip_name(profile)
        self.missing = profile.get("missing") or "error"
        self.refusals, self.doubts, self.most_ranks = {}, {}, {}
        self.one_process_per_card = bool(table.get("one_process_per_card"))
        for name, row in table.get("collectives", {}).items():
            self.add(name, row)
        if table.get("torch", {}).get("gather", {}).get("replaced"):  # in torch.distributed; the group itself has none
            self.refusals["Gather"] = self.text("hccl_no_gather", chip=self.chip)

    def add(self, name: str, row: dict) -> None:
        supported = row.get("supported")
        if supported == "no":
            key = f"hccl_no_{name}" if f"hccl_no_{name}" in self.texts else "hccl_no_collective"
            self.refusals[name] = self.text(key, collective=name, chip=self.chip)
        elif supported in ("conflict", "unknown"):
            self.doubts[name] = self.text(f"hccl_{supported}", collective=name, chip=self.chip)
        if row.get("max_ranks"):
            self.most_ranks[name] = row["max_ranks"]
        self.add_types(name, row)

    def add_types(self, name: str, row: dict) -> None:
        types = row.get("dtypes") or []
        for missing in set(TYPES) - set(types or TYPES):
            self.refusals[f"{name} {missing}"] = self.text("hccl_no_type", collective=name, chip=self.chip,
                                                           type=missing, known=", ".join(types))
        reductions = row.get("reduce") or []
        for reduction in set(REDUCTIONS) - set(reductions or REDUCTIONS):
            for type_ in types or TYPES:
                self.refuse_reduction(name, type_, reduction)
        for types_, reductions in exceptions(row.get("reduce_exceptions") or ""):
            for type_ in types_:
                for reduction in reductions:
                    self.refuse_reduction(name, type_, reduction)

    def refuse_reduction(self, name: str, type_: str, reduction: str) -> None:
        self.refusals[f"{name} {type_} {reduction}"] = self.text("hccl_no_reduction", collective=name, chip=self.chip,
                                                                 type=type_, reduction=reduction)

    def text(self, key: str, **places) -> str:
        known = self.texts.get(key)
        return known.format(**places) if known else f"{key} {places}"


def chip_name(profile: dict) -> str:
    """The chip as torch.npu.get_device_name says it."""
    soc = profile.get("soc")
    return soc.get("name", "") if isinstance(soc, dict) else profile.get("name") or soc or ""


def exceptions(cell: str):
    """(types, reductions) of "prod|max|min:not_i16" and "prod:not_i16|bf16"."""
    for part in filter(None, cell.split(";")):
        reductions, _, types = part.partition(":")
        yield [t.removeprefix("not_") for t in types.split("|")], reductions.split("|")


def make_group(options, given):
    """The backend of one group: gloo for the transport, hccl.cc on top. `given` are options of torch_npu, or nothing."""
    write_stack_on_signal()
    traffic.joined(options)
    seconds = min(options.timeout.total_seconds(), exec_timeout())
    rank, size = options.group_rank, options.group_size
    options.store.set(f"godwit/joined/{rank}", "1")
    try:
        gloo = dist.ProcessGroupGloo(options.store, rank, size, timeout=timedelta(seconds=min(seconds, connect_timeout())))
    except RuntimeError as error:
        raise dist.DistBackendError(describe_absent(options, error)) from error
    gloo._set_default_timeout(timedelta(seconds=seconds))
    carrier = dist.ProcessGroup(options.store, rank, size)
    carrier._register_backend(torch.device("cpu"), dist.ProcessGroup.BackendType.GLOO, gloo)
    ranks = list(options.global_ranks_in_group) or list(range(size))
    torch.ops.godwit.hccl_attach(carrier.boxed(), options.group_id or "hccl_world_group", ranks)
    return carrier._get_backend(torch.device("npu"))


def describe_absent(options, error) -> str:
    """HCCL's EI0006: links were not set up in time, with the ranks that never came."""
    absent = []
    for rank in range(options.group_size):
        try:
            if not options.store.check([f"godwit/joined/{rank}"]):
                absent.append(rank)
        except RuntimeError:
            break
    text = _rules.text("hccl_absent", ranks=", ".join(map(str, absent)) or "?", size=options.group_size,
                       seconds=f"{connect_timeout():g}")
    return (f"HCCL function error: HcclCommInitRootInfo, error code is 4\nEI0006: getting sockets of remote rank "
            f"{absent or ['unknown']} timed out\n{text}\n  (gloo: {str(error).splitlines()[0]})")


def exec_timeout() -> float:
    """Seconds of HCCL_EXEC_TIMEOUT; 0 means never, as on 910B."""
    return seconds_of("HCCL_EXEC_TIMEOUT", DEFAULT_EXEC_TIMEOUT) or 10 * 365 * 86400


def connect_timeout() -> float:
    return seconds_of("HCCL_CONNECT_TIMEOUT", DEFAULT_CONNECT_TIMEOUT)


def seconds_of(variable: str, default: float) -> float:
    try:
        return float(os.environ.get(variable) or default)
    except ValueError:
        warnings.warn(text("hccl.seconds", variable=variable, found=repr(os.environ[variable]), taken=default))
        return default


_stack_file = None


def write_stack_on_signal() -> None:
    """Lets the other ranks ask where this one stands, even when it hangs outside Python: see csrc/hccl/blame.cc."""
    global _stack_file
    if _stack_file is None:
        _stack_file = tempfile.NamedTemporaryFile("w", prefix="godwit-stack-")
        faulthandler.register(STACK_SIGNAL, file=_stack_file, all_threads=False, chain=False)
        torch.ops.godwit.hccl_stack_file(_stack_file.name, int(STACK_SIGNAL))


def replace_gathers() -> None:
    """torch_npu has no gather in its process group and replaces torch.distributed.gather by broadcast and all_gather."""
    from torch.distributed import distributed_c10d as c10d
    if getattr(c10d.gather, "of_godwit", False):
        return
    plain = c10d.gather

    def gather(tensor, gather_list=None, dst=None, group=None, async_op=False, **more):
        if tensor.device.type != "npu" or c10d._rank_not_in_group(group):
            return plain(tensor, gather_list, dst, group, async_op, **more)
        return gather_by_all_gather(c10d, tensor, gather_list, root_of(c10d, dst, more.get("group_dst"), group), group,
                                    async_op)

    gather.of_godwit = True
    gather.__doc__ = plain.__doc__
    dist.gather = c10d.gather = gather


def root_of(c10d, dst, group_dst, group) -> int:
    """The root as the world numbers it."""
    if group_dst is not None:
        return c10d.get_global_rank(group or c10d._get_default_group(), group_dst)
    return 0 if dst is None else dst


def gather_by_all_gather(c10d, tensor, gather_list, dst, group, async_op):
    is_root = dist.get_rank() == dst
    c10d._validate_output_list_for_rank(dist.get_rank(), dst, gather_list or [])
    if is_root:
        warnings.warn("HCCL doesn't support gather at the moment. Implemented with allgather instead.")
    # Sizes first, as torch_npu does it: a chip without a broadcast has no gather either.
    sizes = [t.size() for t in gather_list] if is_root else [None] * dist.get_world_size(group)
    dist.broadcast_object_list(sizes, dst, group)
    parts = gather_list if is_root else [torch.empty(size, dtype=tensor.dtype, device=tensor.device) for size in sizes]
    return dist.all_gather(parts, tensor, group, async_op)
