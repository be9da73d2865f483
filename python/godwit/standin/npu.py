"""Names of torch.npu that are more than a card, a stream or a byte count: compile mode, formats, overflow, properties."""
import types
import warnings

import torch

from godwit.standin import emulates, refuse

_options = {}


def _profile() -> dict:
    return torch.npu._godwit_profile


def _ops():
    return torch.ops.godwit


# Compile mode

@emulates("npu.set_compile_mode", "npu.npu_config.set_compile_mode", "npu.utils.set_compile_mode")
def set_compile_mode(jit_compile: bool = False) -> None:
    """True: operators are compiled on line (aclop) where they can be; False: prebuilt ones (aclnn)."""
    if not isinstance(jit_compile, bool):
        raise TypeError(f"jit_compile should be bool, but got {type(jit_compile).__name__}")
    _ops().set_jit_compile(jit_compile)


@emulates("npu.is_jit_compile_false", "npu.npu_config.is_jit_compile_false")
def is_jit_compile_false() -> bool:
    return not _ops().jit_compile()


@emulates("npu.set_option", "npu.npu_config.set_option")
def set_option(option) -> None:
    """Takes all that torch_npu takes; ACL_OP_COMPILER… and jitCompile change the compile mode."""
    if not isinstance(option, dict):
        raise TypeError("npu option must be a dict")
    _options.update(option)
    if "jitCompile" in option:
        set_compile_mode(jit_compile=option["jitCompile"] in (True, "enable"))


class _Switches:
    """matmul.allow_hf32, conv.allow_hf32, config.allow_internal_format: each has the default of the chip."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __setattr__(self, name, value):
        if name not in self.__dict__:
            raise AttributeError(f"Unknown attribute {name}")
        self.__dict__[name] = bool(value)
        apply_hf32()


def apply_hf32() -> None:
    from godwit.emulate import set_numerics
    set_numerics(_ops(), _profile()["numerics"], {"allow_hf32_matmul": matmul.allow_hf32, "allow_hf32_conv": conv.allow_hf32})


matmul = emulates("npu.matmul")(_Switches(allow_hf32=False, cube_math_type=False))
conv = emulates("npu.conv")(_Switches(allow_hf32=True))
config = emulates("npu.config")(_Switches(allow_internal_format=False))


def take_defaults(defaults: dict) -> None:
    matmul.__dict__["allow_hf32"] = bool(defaults.get("allow_hf32_matmul", False))
    conv.__dict__["allow_hf32"] = bool(defaults.get("allow_hf32_conv", True))
    config.__dict__["allow_internal_format"] = bool(defaults.get("internal_format", False))


@emulates("npu.get_mm_bmm_format_nd")
def get_mm_bmm_format_nd() -> bool:
    return True


@emulates("npu.set_mm_bmm_format_nd", "npu.set_aoe", "npu.set_task_queue_enable", "npu.set_sync_debug_mode",
          "npu.use_compatible_impl", "npu.set_deterministic_level", "npu.set_op_timeout_ms", "npu.init_dump",
          "npu.set_dump", "npu.finalize_dump", "npu.ipc_collect", "npu.host_empty_cache", "npu.empty_virt_addr_cache",
          "npu.set_device_limit", "npu.set_stream_limit", "npu.reset_stream_limit", "npu.enable_flash_sdp",
          "npu.enable_math_sdp", "npu.enable_mem_efficient_sdp", "npu.reset_accumulated_memory_stats",
          "npu.enable_deterministic_with_backward", "npu.disable_deterministic_with_backward")
def accept(*args, **kwargs) -> None:
    """Changes the speed or the diagnostics of a card: there is nothing to change here."""


@emulates("npu.get_task_queue_enable")
def get_task_queue_enable() -> int:
    return 1


@emulates("npu.get_sync_debug_mode")
def get_sync_debug_mode() -> int:
    return 0


@emulates("npu.flash_sdp_enabled", "npu.mem_efficient_sdp_enabled", "npu.math_sdp_enabled")
def sdp_enabled() -> bool:
    return True


# The chip

@emulates("npu.get_soc_version", "npu.utils.get_soc_version")
def get_soc_version():
    """The number that torch_npu gives the chip is not in our tables."""
    refuse("torch_npu.npu.get_soc_version")


@emulates("npu.get_device_name")
def get_device_name(device=None) -> str:
    return _profile()["soc"]["name"]


@emulates("npu.get_device_properties")
def get_device_properties(device=None):
    profile = _profile()
    return types.SimpleNamespace(name=profile["soc"]["name"], total_memory=profile["memory"],
                                 cube_core_num=profile["soc"]["ai_cores"], vector_core_num=profile["soc"]["ai_cores"])


@emulates("npu.get_device_capability")
def get_device_capability(device=None) -> None:
    warnings.warn("torch.npu.get_device_capability isn't implemented!")


@emulates("npu.is_bf16_supported", "npu.utils.is_bf16_supported")
def is_bf16_supported() -> bool:
    return _profile()["soc"]["abilities"].get("bf16_api_says") == "yes"


@emulates("npu.get_amp_supported_dtype")
def get_amp_supported_dtype() -> list:
    return [torch.float16, torch.bfloat16] if is_bf16_supported() else [torch.float16]


@emulates("npu.can_device_access_peer")
def can_device_access_peer(device_id, peer_device_id) -> bool:
    return device_id != peer_device_id


@emulates("npu.utilization")
def utilization(device=None) -> int:
    refuse("torch_npu.npu.utilization")


@emulates("npu.get_default_generator")
def get_default_generator(device=None):
    return torch.npu.default_generators[torch.npu.current_device() if device is None else torch.device(device).index or 0]


# Autocast by torch_npu's older names

@emulates("npu.is_autocast_enabled")
def is_autocast_enabled() -> bool:
    return torch.is_autocast_enabled("npu")


@emulates("npu.set_autocast_enabled")
def set_autocast_enabled(enabled: bool) -> None:
    torch.set_autocast_enabled("npu", enabled)


@emulates("npu.get_autocast_dtype")
def get_autocast_dtype():
    return torch.get_autocast_dtype("npu")


@emulates("npu.set_autocast_dtype")
def set_autocast_dtype(dtype) -> None:
    torch.set_autocast_dtype("npu", dtype)


# Overflow: a chip that saturates reports it by a flag, others by infinities

def saturates() -> bool:
    return _profile()["numerics"]["cells"].get("overflow") == "saturate" and _profile()["numerics"]["on"]


def saturated_elements() -> int:
    return sum(_ops().operator_calls()[2])


_cleared_at = 0


@emulates("npu.clear_npu_overflow_flag", "npu.utils.clear_npu_overflow_flag")
def clear_npu_overflow_flag() -> None:
    global _cleared_at
    _cleared_at = saturated_elements()


@emulates("npu.get_npu_overflow_flag", "npu.utils.get_npu_overflow_flag")
def get_npu_overflow_flag() -> bool:
    """Whether an operator saturated since the flag was cleared."""
    return saturated_elements() > _cleared_at


@emulates("npu.utils.npu_check_overflow")
def npu_check_overflow(grad) -> bool:
    if saturates():
        return get_npu_overflow_flag()
    tensor = grad if isinstance(grad, torch.Tensor) else torch.tensor(grad)
    return not bool(torch.isfinite(tensor.cpu().float().sum()))


@emulates("npu.utils.is_support_inf_nan")
def is_support_inf_nan() -> bool:
    return not saturates()


# Typed constructors: torch.npu.FloatTensor(2, 3)

def typed(dtype, name: str):
    def constructor(*args):
        if len(args) == 1 and isinstance(args[0], (list, tuple)):
            return torch.tensor(args[0], dtype=dtype, device="npu")
        return torch.empty(*args, dtype=dtype, device="npu")
    constructor.__name__ = name
    return constructor


for _name, _type in (("Half", torch.float16), ("Float", torch.float32), ("Double", torch.float64), ("Long", torch.int64),
                     ("Int", torch.int32), ("Short", torch.int16), ("Char", torch.int8), ("Byte", torch.uint8),
                     ("Bool", torch.bool), ("BFloat16", torch.bfloat16)):
    emulates(f"npu.{_name}Tensor")(typed(_type, f"{_name}Tensor"))
