#!/usr/bin/env python3
"""Writes the node cases that the installed onnx package makes in memory, and its nine light models with the outputs
that it stores, as folders of model.onnx and test_data_set_N/{input,output}_N.pb, the form that node_tests reads.
Usage: dump_cases.py FOLDER"""

import pathlib
import shutil
import sys

import numpy
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests
from onnx.backend.test.runner import Runner


def to_proto(value, type_proto):
    kind = type_proto.WhichOneof("value")
    if kind == "optional_type" and value is None:
        return numpy_helper.from_optional(None, dtype=onnx.OptionalProto.TENSOR)
    if kind == "optional_type":
        return numpy_helper.from_optional(value)
    if kind == "sequence_type":
        return numpy_helper.from_list(value)
    if isinstance(value, onnx.TensorProto):
        return value
    array = numpy.asarray(value)
    wanted = onnx.helper.tensor_dtype_to_np_dtype(type_proto.tensor_type.elem_type)
    if array.dtype != wanted and array.dtype.kind not in "OUS":
        array = array.astype(wanted)
    return numpy_helper.from_array(array)


def write_set(folder, model, inputs, outputs):
    folder.mkdir(parents=True, exist_ok=True)
    for kind, values, infos in (("input", inputs, model.graph.input), ("output", outputs, model.graph.output)):
        for i, (value, info) in enumerate(zip(values, infos)):
            (folder / f"{kind}_{i}.pb").write_bytes(to_proto(value, info.type).SerializeToString())


def write_light_models(root):
    """Their weights are constants of one number each; the input counts from 0 to 1."""
    data = pathlib.Path(onnx.__file__).parent / "backend/test/data/light"
    for path in sorted(data.glob("*.onnx")):
        folder = root / path.stem
        cases = folder / "test_data_set_0"
        cases.mkdir(parents=True, exist_ok=True)
        graph = onnx.load(path).graph
        constants = {row.name for row in graph.initializer}
        for i, row in enumerate(graph.input):
            if row.name in constants:
                continue
            value = Runner.generate_dummy_data(row, name=path.stem)
            (cases / f"input_{i}.pb").write_bytes(numpy_helper.from_array(value).SerializeToString())
        for i in range(len(graph.output)):
            shutil.copy(data / f"{path.stem}_output_{i}.pb", cases / f"output_{i}.pb")
        shutil.copy(path, folder / "model.onnx")


def main(target):
    root = pathlib.Path(target)
    write_light_models(root)
    written = 0
    for case in load_model_tests(kind="node"):
        folder = root / case.name
        try:
            for i, (inputs, outputs) in enumerate(case.data_sets):
                write_set(folder / f"test_data_set_{i}", case.model, inputs, outputs)
            (folder / "model.onnx").write_bytes(case.model.SerializeToString())
            written += 1
        except Exception as error:  # one case must not hide the others; the count tells
            print(f"{case.name}: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"{written} cases in {root}")


if __name__ == "__main__":
    main(sys.argv[1])
