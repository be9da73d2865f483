"""godwit export: a model in PyTorch to ONNX that ATC can read, checked. Run as `python -m godwit.exporting`.

The opset is 18: ATC reads it, and PyTorch's exporter writes valid models from there on (17 has given Split with an attribute
of 18). What came out is looked at, because the exporter may give another one than was asked for.
"""
import argparse
import importlib.util
import inspect
import json
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

from godwit.texts import language, text

OLDEST_OPSET = 18


class ExportError(RuntimeError):
    """The model could not be exported; the text says why and what to do."""


def export(target, inputs, output, opset=OLDEST_OPSET):
    """Exports what FILE.py:FUNCTION makes; gives the opset that came out.

    FUNCTION takes nothing and gives a model, or a model and its example inputs (a tuple, or a dict by name).
    `inputs` are NAME=SHAPE[:TYPE]; a name instead of a number is a size that may change.
    """
    import torch
    check_packages()
    if opset < OLDEST_OPSET:
        raise ExportError(text("export.opset", found=opset, oldest=OLDEST_OPSET))
    model, args = make(target)
    model.eval()
    specifications = [Input(given) for given in inputs]
    if specifications:
        check_names(model, [spec.name for spec in specifications])
        args = {spec.name: spec.example(torch) for spec in specifications}
    if args is None:
        raise ExportError(text("export.no_inputs"))
    positional, named = (tuple(args), {}) if not isinstance(args, dict) else ((), args)
    sizes = {}
    shapes = {spec.name: spec.dynamic_shape(torch, sizes) for spec in specifications} or None
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # what it cannot find of torchvision is no news
    output = Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(output.name + ".part")
    data = part.with_name(part.name + ".data")
    try:
        with torch.no_grad():
            program = torch.onnx.export(model, positional, kwargs=named, dynamo=True, opset_version=opset,
                                        dynamic_shapes=shapes, input_names=list(named) or None, verbose=False)
        program.save(str(part), external_data=size_of(model) > 1 << 30)
        found = check(part, opset)
        os.replace(part, output)
        if data.exists():  # the file names its data: save again under the final name
            program.save(str(output), external_data=True)
    except torch.onnx.OnnxExporterError as error:
        raise ExportError(text("export.failed", reason=reason_of(error.__cause__ or error))) from error
    finally:
        for left in (part, data):
            left.unlink(missing_ok=True)
    return found


def check(path, opset):
    """onnx's own checker, and the opset that came out."""
    import onnx
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        raise ExportError(text("export.invalid", reason=reason_of(error))) from error
    found = {entry.domain: entry.version for entry in onnx.load(str(path), load_external_data=False).opset_import}
    if found.get("", 0) != opset:
        raise ExportError(text("export.other_opset", found=found.get(""), asked=opset))
    return opset


def check_names(model, given):
    """Inputs go by the names of forward's parameters: all that it needs, and none that it does not know."""
    parameters = inspect.signature(model.forward).parameters.values()
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters):
        return
    missing = [one.name for one in parameters if one.default is one.empty and one.name not in given]
    if missing or set(given) - {one.name for one in parameters}:
        raise ExportError(text("export.inputs_differ", given=", ".join(given),
                               expected=", ".join(one.name for one in parameters)))


def reason_of(error):
    """What went wrong, in a line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def called(function, target):
    """What a function of the user gives; where it fails, the place in his file."""
    try:
        return function()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{reason_of(error)} ({place.filename}:{place.lineno})"
        raise ExportError(text("export.factory", target=target, reason=reason)) from error


def size_of(model):
    return sum(p.numel() * p.element_size() for p in model.parameters())


def check_packages():
    missing = [name for name in ("onnx", "onnxscript") if importlib.util.find_spec(name) is None]
    if missing:
        raise ExportError(text("export.packages", names=" ".join(missing), python=sys.executable))


def make(target):
    """(model, inputs or None) of FILE.py:FUNCTION."""
    import torch
    path, colon, name = target.rpartition(":")
    if not colon or not path.endswith(".py") or not name.isidentifier():
        raise ExportError(text("export.target", found=target))
    if not Path(path).is_file():
        raise ExportError(text("export.no_file", path=path))
    sys.path.insert(0, str(Path(path).resolve().parent))
    specification = importlib.util.spec_from_file_location(Path(path).stem, path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    called(lambda: specification.loader.exec_module(module), path)
    function = getattr(module, name, None)
    if not callable(function):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise ExportError(text("export.no_function", path=path, name=name, known=", ".join(known) or text("export.none")))
    made = called(function, target)
    model, args = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    if not isinstance(model, torch.nn.Module):
        raise ExportError(text("export.no_module", target=target, found=type(model).__name__))
    return model, (args,) if isinstance(args, torch.Tensor) else args


class Input:
    """One NAME=SHAPE[:TYPE]: "ids=batch,128:int64"."""

    def __init__(self, given):
        self.name, equals, rest = given.partition("=")
        shape, _, self.type = rest.partition(":")
        self.sizes = [size.strip() for size in shape.split(",") if size.strip()]
        good = equals and self.name.isidentifier() and all(s.isdigit() or s.isidentifier() for s in self.sizes)
        if not good:
            raise ExportError(text("export.input", found=given))

    def example(self, torch):
        """Random values; sizes that may change are 2, which the exporter does not take for a constant."""
        kind = getattr(torch, self.type or "float32", None)
        if not isinstance(kind, torch.dtype):
            raise ExportError(text("export.type", name=self.name, found=self.type))
        shape = [int(size) if size.isdigit() else 2 for size in self.sizes]
        if kind.is_floating_point:
            return torch.randn(shape).to(kind)
        return torch.ones(shape, dtype=kind)

    def dynamic_shape(self, torch, sizes):
        """None for a fixed size; the same name is the same size in all inputs."""
        return {axis: sizes.setdefault(size, torch.export.Dim.DYNAMIC if not hasattr(torch.export, "Dim") else
                                       torch.export.Dim(size, min=1))
                for axis, size in enumerate(self.sizes) if not size.isdigit()}


def main():
    parser = argparse.ArgumentParser(prog="godwit export")
    parser.add_argument("target")
    parser.add_argument("--inputs", action="append", default=[])
    parser.add_argument("--output", required=True)
    parser.add_argument("--opset", type=int, default=OLDEST_OPSET)
    parser.add_argument("--to")
    options = parser.parse_args()
    try:
        opset = export(options.target, options.inputs, options.output, options.opset)
    except ExportError as error:
        print(text("export.error", text=error), file=sys.stderr)
        return 2
    print(json.dumps({"written": options.output, "opset": opset, "bytes": Path(options.output).stat().st_size}))
    return look(options)


def look(options):
    """Our own reader and verdict on what was written."""
    from godwit import program
    commands = [["inspect", options.output]]
    if options.to:
        commands.append(["scan", options.output, "--to", options.to])
    for command in commands:
        sys.stdout.flush()
        status = subprocess.run([str(program()), "--lang", language(), *command]).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
