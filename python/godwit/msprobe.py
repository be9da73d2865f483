"""Turns a dump into the folders that msprobe's compare reads: step{n}/rank{n} with dump.json, construct.json, stack.json."""
import json
import math
from pathlib import Path

import torch

from godwit import following

TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
         "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}
for _name, _type in (("F8_E4M3", "float8_e4m3fn"), ("F8_E5M2", "float8_e5m2")):
    if hasattr(torch, _type):
        TYPES[_name] = getattr(torch, _type)


def write_folders(place, out, model=None):
    """Writes `place` (DIR/rank0) anew below `out`. The classes of `model` become part of the names, as msprobe has them."""
    from godwit.dumping import read_index
    header, records = read_index(place)
    kinds = classes(model) if model is not None else {}
    steps = {}
    for record in records:
        steps.setdefault(record["step"], []).append(record)
    for step, of_step in steps.items():
        folder = Path(out) / f"step{step}" / f"rank{header['rank']}"
        folder.mkdir(parents=True, exist_ok=True)
        write_step(Path(place), folder, header, of_step, kinds)


def classes(model):
    """Path of each module, as the dump has it, to the name of its class."""
    from godwit.dumping import unwrapped
    return {path: type(module).__name__ for path, module in unwrapped(model).named_modules()}


def write_step(place, folder, header, records, kinds):
    data, construct, stack = {}, {}, {}
    values = Values(place)
    for record in records:
        entry, group = key_of(record, kinds)
        if entry is None:
            continue
        node = data.setdefault(entry, empty_node(entry))
        name = f"{entry}.{file_part(record)}"
        described = describe(record)
        if "file" in record:
            described["data_name"] = f"{name}.pt"
            (folder / "dump_tensor_data").mkdir(exist_ok=True)
            torch.save(values.read(record), folder / "dump_tensor_data" / described["data_name"])
        add(node, group, record, described)
        if record["part"] in ("fwd", "bwd"):
            construct[entry] = parent_of(record, kinds, data)
    for number, entry in enumerate(data):
        stack[str(number)] = [[entry], []]
    level = {"module": "L0", "operator": "L1", "all": "mix"}[header["scope"]]
    task = "tensor" if header["level"] == "tensor" else "statistics"
    document = {"task": task, "level": level, "framework": "pytorch",
                "dump_data_dir": str(folder / "dump_tensor_data") if task == "tensor" else None, "data": data}
    for file, content in (("dump.json", document), ("construct.json", construct), ("stack.json", stack)):
        part = folder / f"{file}.part"
        part.write_text(json.dumps(content, indent=1), encoding="utf-8")
        part.rename(folder / file)


def empty_node(entry):
    """A module's parameters come before its inputs, and stand in the same node."""
    words = entry.split(".")
    if "forward" in words[-2:]:
        return {"input_args": [], "input_kwargs": {}, "output": []}
    return {"input": [], "output": []} if "backward" in words[-2:] else {}


DIRECTIONS = {"fwd": "forward", "bwd": "backward"}


def key_of(record, kinds):
    """Name of the node and the list in it; in a backward pass the gradient of an output is the input."""
    part, name = record["part"], record["name"]
    owner = module_name(name, kinds)
    if part in DIRECTIONS and "operator" in record:
        short = record["operator"].split("::")[-1]
        return f"Aten.{short}.{record['call']}.{DIRECTIONS[part]}", record["io"]
    if part == "fwd":
        return f"{owner}.forward.{record['call']}", record["io"]
    if part == "bwd":
        return f"{owner}.backward.{record['call']}", "input" if record["io"] == "output" else "output"
    module, _, leaf = name.rpartition(".")
    owner = module_name(module, kinds)
    if part == "param":
        return f"{owner}.forward.0", "parameters"
    if part == "grad":
        return f"{owner}.parameters_grad", leaf
    return None, None  # msprobe has no place for optimizer state


def module_name(path, kinds):
    return ".".join(["Module", *([path] if path else []), kinds.get(path, "Module")])


def file_part(record):
    if record["part"] in ("param", "grad"):
        leaf = record["name"].rpartition(".")[2]
        return f"parameters.{leaf}" if record["part"] == "param" else leaf
    side = record["io"]
    if record["part"] == "bwd" and "operator" not in record:
        side = "input" if side == "output" else "output"
    return f"{side}.{record['index']}"


def add(node, group, record, described):
    if group == "parameters":
        node.setdefault("parameters", {})[record["name"].rpartition(".")[2]] = described
    elif record["part"] == "grad":
        node[group] = [described]
    elif group == "input" and "input_args" in node:
        first = record["index"].split(".")[0]
        if first.isdigit():
            node["input_args"].append(described)
        else:
            node["input_kwargs"].setdefault(first, described)
    else:
        node.setdefault(group, []).append(described)


def describe(record):
    """A tensor as msprobe tells it: NaN and infinities win over the finite numbers."""
    out = {"type": "torch.Tensor", "dtype": f"torch.{record['dtype']}", "shape": record["shape"]}
    nan, (positive, negative) = record.get("nan", 0), record.get("inf", (0, 0))
    known = {"Max": record.get("max"), "Min": record.get("min"), "Mean": record.get("mean"), "Norm": record.get("norm")}
    if positive:
        known.update(Max=math.inf, Mean=math.inf, Norm=math.inf)
    if negative:
        known.update(Min=-math.inf, Mean=math.nan if positive else -math.inf, Norm=math.inf)
    if nan:
        known = dict.fromkeys(known, math.nan)
    out.update({key: text_of(value) for key, value in known.items()})
    out["requires_grad"] = False
    return out


def text_of(value):
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def parent_of(record, kinds, data):
    """The node of the module around, when it was dumped too."""
    direction = DIRECTIONS[record["part"]]
    path = record["name"]
    if "operator" not in record:
        if not path:
            return None
        path = path.rpartition(".")[0]
    while True:
        name = f"{module_name(path, kinds)}.{direction}.0"
        if path in kinds and (name in data or path == ""):
            return name if name in data else None
        if not path:
            return None
        path = path.rpartition(".")[0]


class Values:
    """Tensors of a dump, read where the index says they are."""

    def __init__(self, place):
        self.place, self.headers = place, {}

    def read(self, record):
        path = self.place / record["file"]
        with open(path, "rb") as file:
            if record["file"] not in self.headers:
                size = int.from_bytes(file.read(8), "little")
                self.headers[record["file"]] = 8 + size, json.loads(file.read(size))
            start, header = self.headers[record["file"]]
            entry = header[record["tensor"]]
            begin, end = entry["data_offsets"]
            file.seek(start + begin)
            data = bytearray(file.read(end - begin))
        if not data:
            return torch.empty(entry["shape"], dtype=TYPES[entry["dtype"]])
        tensor = torch.frombuffer(data, dtype=TYPES[entry["dtype"]]).reshape(entry["shape"])
        return torch.view_as_complex(tensor) if record["dtype"].startswith("complex") else tensor
