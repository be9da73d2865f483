"""The module `torch.npu`: cards, streams, random numbers and memory of the emulated device, by torch_npu's names."""
import types

import torch

_profile: dict = {}


class DeviceModule(types.ModuleType):
    """A module some of whose attributes change: activation checkpointing asks `_initialized` before it keeps random numbers."""

    @property
    def _initialized(self) -> bool:
        return is_initialized()


def module(profile: dict) -> types.ModuleType:
    """The module that torch registers for the device; the stand-in torch_npu adds its own names to it."""
    global _profile
    _profile = profile
    made = DeviceModule("torch.npu", __doc__)
    for name, value in globals().items():
        if getattr(value, "__module__", None) == __name__ and not name.startswith("__") and name != "module":
            setattr(made, name, value)
    made.default_generators = DefaultGenerators()
    made.Stream, made.Event = torch.Stream, torch.Event
    return made


def index_of(device=None) -> int:
    """The card that an int, "npu:1", torch.device or None (the current one) names."""
    if device is None:
        return current_device()
    if isinstance(device, int):
        return device if device >= 0 else current_device()
    device = torch.device(device)
    if device.type != "npu":
        raise ValueError(f"Expected a npu device, but got: {device}")
    return current_device() if device.index is None else device.index


# Cards

def is_available() -> bool:
    return True


def is_initialized() -> bool:
    return torch.ops.godwit.is_touched()


def init() -> None:
    torch.ops.godwit.set_current_card(current_device())


def _lazy_init() -> None:
    if _is_in_bad_fork():
        raise RuntimeError("Cannot re-initialize NPU in forked subprocess. To use NPU with multiprocessing, you must use "
                           "the 'spawn' start method")


def _is_in_bad_fork() -> bool:
    return torch.ops.godwit.is_lost_in_fork()


def device_count() -> int:
    return torch.ops.godwit.card_count()


def current_device() -> int:
    return torch.ops.godwit.current_card()


def set_device(device) -> None:
    torch.ops.godwit.set_current_card(index_of(device))


def get_device_name(device=None) -> str:
    index_of(device)
    return (_profile.get("soc") or {}).get("name", "")


class device:
    """Makes a card current for a block."""

    def __init__(self, device):
        self.index = index_of(device)
        self.previous = -1

    def __enter__(self):
        self.previous = current_device()
        set_device(self.index)
        return self

    def __exit__(self, *exception):
        set_device(self.previous)


class device_of(device):
    """Makes the card of a tensor current; nothing for a tensor of the host."""

    def __init__(self, tensor):
        super().__init__(tensor.device if tensor.device.type == "npu" else None)


# Streams: work runs in the order it is issued

def current_stream(device=None):
    return torch._C._accelerator_getStream(index_of(device)) if hasattr(torch._C, "_accelerator_getStream") \
        else torch.Stream(f"npu:{index_of(device)}")


def default_stream(device=None):
    return torch.Stream(stream_id=0, device_index=index_of(device), device_type=20)


def set_stream(stream) -> None:
    if stream is not None:
        torch._C._accelerator_setStream(stream)


class stream:
    """Makes a stream current for a block."""

    def __init__(self, stream):
        self.stream = stream
        self.previous = None

    def __enter__(self):
        if self.stream is not None:
            self.previous = current_stream(self.stream.device)
            set_stream(self.stream)
        return self

    def __exit__(self, *exception):
        set_stream(self.previous)


def synchronize(device=None) -> None:
    _lazy_init()
    index_of(device)


# Random numbers, a generator per card

class DefaultGenerators:
    """A tuple of the cards' generators, made when asked for."""

    def __len__(self):
        return device_count()

    def __getitem__(self, card):
        if not -len(self) <= card < len(self):
            raise IndexError(card)
        return torch.ops.godwit.default_generator(card % len(self))


def generator_of(device=None) -> torch.Generator:
    return torch.ops.godwit.default_generator(index_of(device))


def manual_seed(seed: int) -> None:
    generator_of().manual_seed(int(seed))


def manual_seed_all(seed: int) -> None:
    for card in range(device_count()):
        generator_of(card).manual_seed(int(seed))


def seed() -> int:
    return generator_of().seed()


def seed_all() -> None:
    manual_seed_all(generator_of(0).seed())


def initial_seed() -> int:
    return generator_of().initial_seed()


def get_rng_state(device="npu") -> torch.Tensor:
    return generator_of(device).get_state()


def set_rng_state(state: torch.Tensor, device="npu") -> None:
    generator_of(device).set_state(state)


def get_rng_state_all() -> list:
    return [get_rng_state(card) for card in range(device_count())]


def set_rng_state_all(states) -> None:
    for card, state in enumerate(states):
        set_rng_state(state, card)


# Mixed precision

def get_amp_supported_dtype() -> list:
    return [torch.float16, torch.bfloat16] if is_bf16_supported() else [torch.float16]


def is_bf16_supported() -> bool:
    return (_profile.get("dtypes") or {}).get("bfloat16", "yes") == "yes"


# Memory

STATS = ("allocated", "peak", "reserved", "reserved_peak", "requests", "releases", "total", "limit")


def account(device=None) -> dict:
    """The counters of a card, in bytes."""
    return dict(zip(STATS, torch.ops.godwit.memory_stats(index_of(device))))


def memory_allocated(device=None) -> int:
    return account(device)["allocated"]


def max_memory_allocated(device=None) -> int:
    return account(device)["peak"]


def memory_reserved(device=None) -> int:
    return account(device)["reserved"]


def max_memory_reserved(device=None) -> int:
    return account(device)["reserved_peak"]


memory_cached, max_memory_cached = memory_reserved, max_memory_reserved


def reset_peak_memory_stats(device=None) -> None:
    torch.ops.godwit.memory_reset_peak(index_of(device))


reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats


def empty_cache() -> None:
    for card in range(device_count()):
        torch.ops.godwit.memory_empty_cache(card)


def mem_get_info(device=None) -> tuple:
    """Free and total bytes. Without a limit the total is what is reserved."""
    counts = account(device)
    total = counts["limit"] or counts["reserved"]
    return total - counts["reserved"], total


def set_per_process_memory_fraction(fraction: float, device=None) -> None:
    if not 0 <= fraction <= 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    total = int(_profile.get("memory", 0))
    torch.ops.godwit.memory_set_limit(index_of(device), int(total * fraction))


def memory_stats(device=None) -> dict:
    """The figures that the emulation has, by the names of torch's allocators."""
    counts = account(device)
    freed = counts["total"] - counts["allocated"]
    stats = {"allocation.all.current": counts["requests"] - counts["releases"],
             "allocation.all.allocated": counts["requests"], "allocation.all.freed": counts["releases"]}
    for kind, current, peak in (("allocated", "allocated", "peak"), ("active", "allocated", "peak"),
                                ("reserved", "reserved", "reserved_peak")):
        stats[f"{kind}_bytes.all.current"] = counts[current]
        stats[f"{kind}_bytes.all.peak"] = counts[peak]
    stats["allocated_bytes.all.allocated"] = counts["total"]
    stats["allocated_bytes.all.freed"] = freed
    return stats


def peak_module(device=None) -> str:
    """The module that ran when the peak was reached."""
    return torch.ops.godwit.memory_peak_module(index_of(device))


def memory_summary(device=None, abbreviated: bool = False) -> str:
    """A table of the account, and by module while history is recorded."""
    card = index_of(device)
    counts = account(card)
    lines = [f"npu:{card} {get_device_name(card)} (emulated)"]
    for name in ("allocated", "peak", "reserved", "reserved_peak", "limit"):
        lines.append(f"  {name:<14}{counts[name] / 2**20:>12.2f} MiB")
    lines.append(f"  peak reached in {peak_module(card) or 'no module'}")
    if not abbreviated:
        lines += [f"  {name or '(outside of modules)':<40}{live / 2**20:>12.2f} MiB now{most / 2**20:>12.2f} MiB at the peak"
                  for name, live, most in by_module(card)]
    return "\n".join(lines)


def by_module(device=None) -> list:
    """(module, bytes now, bytes at the peak), largest at the peak first; empty unless history was recorded."""
    rows = zip(*torch.ops.godwit.memory_by_module(index_of(device)))
    return sorted((row for row in rows if row[1] or row[2]), key=lambda row: -row[2])


def _record_memory_history(enabled="all", *args, **kwargs) -> None:
    torch.ops.godwit.memory_record(bool(enabled))


def memory_snapshot() -> list:
    """One entry per card: its figures, the module at the peak, and the bytes of each module now and then."""
    return [{"device": card, **account(card), "peak_module": peak_module(card),
             "modules": [{"module": name, "bytes": live, "bytes_at_peak": most} for name, live, most in by_module(card)]}
            for card in range(device_count())]


def _snapshot(device=None) -> dict:
    return {"segments": memory_snapshot(), "device_traces": []}
