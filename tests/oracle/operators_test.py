"""Holds the signatures of our operators against the onnx package: for every opset the same inputs, outputs and attributes
with the same defaults and the same element types.

Run by `make test-oracle`. `python operators_test.py` prints the differences alone.
"""
import json
import os
import re
import subprocess
import unittest
from collections import defaultdict
from pathlib import Path

import onnx
from onnx import defs

ROOT = Path(__file__).resolve().parent.parent.parent
SIGNATURES = os.environ.get("SIGNATURES", str(ROOT / "build" / "release" / "nodes" / "signatures"))

# Operators that we have no rule for, with the reason.
REFUSED = {
    ("ai.onnx.preview.training", "Gradient"): "differentiates a graph; models for inference have none",
}
# Defaults that the schema only tells in words.
TOLD = {("Concat", 1, "axis"): 1, ("Split", 1, "axis"): 0}

Option = defs.OpSchema.FormalParameterOption
KINDS = {Option.Single: "required", Option.Optional: "optional", Option.Variadic: "variadic"}


def kind_of(parameter: defs.OpSchema.FormalParameter) -> str:
    """As src/ops/operator.h names it: mixed stands for any number of values of any types."""
    is_mixed = parameter.option == Option.Variadic and not parameter.is_homogeneous
    return "mixed" if is_mixed else KINDS[parameter.option]


def histories() -> dict[tuple[str, str], list[defs.OpSchema]]:
    """All versions of every operator, oldest first."""
    out = defaultdict(list)
    for schema in defs.get_all_schemas_with_history():
        out[schema.domain, schema.name].append(schema)
    return {key: sorted(found, key=lambda schema: schema.since_version) for key, found in out.items()}


def in_opset(rows: list[dict], opset: int) -> list[dict]:
    return [row for row in rows if row["since"] <= opset <= row["until"]]


def opsets_of(ours: dict) -> set[int]:
    """The opsets in which something of our signature changes."""
    parts = ours["inputs"] + ours["outputs"] + ours["attributes"]
    changes = {ours["since"], *ours["revisions"], *(row["since"] for row in parts),
               *(row["until"] + 1 for row in parts)}
    return {opset for opset in changes if ours["since"] <= opset <= min(ours["until"], defs.onnx_opset_version())}


def type_strings(schema: defs.OpSchema, parameter: defs.OpSchema.FormalParameter) -> list[str]:
    for constraint in schema.type_constraints:
        if constraint.type_param_str == parameter.type_str:
            return constraint.allowed_type_strs
    return [parameter.type_str]


def forms_of(schema: defs.OpSchema, parameter: defs.OpSchema.FormalParameter) -> set[str]:
    """What may stand around the tensors of a parameter."""
    return {text.split("(")[0] for text in type_strings(schema, parameter)}


def elements(schema: defs.OpSchema, parameter: defs.OpSchema.FormalParameter) -> set[str]:
    """Names of the element types of a parameter, whatever is around its tensors."""
    strings = type_strings(schema, parameter)
    return {found for text in strings for found in re.findall(r"tensor\((\w+)\)", text)}


def default_of(attribute: defs.OpSchema.Attribute):
    value = onnx.helper.get_attribute_value(attribute.default_value) if attribute.default_value.name else None
    if isinstance(value, bytes):
        return value.decode()
    return list(value) if isinstance(value, tuple) else value


def parameter_differences(kind: str, ours: list[dict], schema: defs.OpSchema):
    theirs = schema.inputs if kind == "input" else schema.outputs
    names = [(row["name"], row["kind"]) for row in ours]
    wanted = [(row.name.rstrip("."), kind_of(row)) for row in theirs]
    if names != wanted:
        yield f"{kind}s {names} instead of {wanted}"
        return
    for mine, other in zip(ours, theirs):
        types = {name for name, since in mine["types"].items() if since <= schema.since_version}
        expected = elements(schema, other)
        missing = sorted(expected - types)
        surplus = sorted(types - expected) if expected else []
        if missing or surplus:
            yield f"{kind} {other.name}: missing types {missing}, surplus {surplus}"
        forms = {name for name, since in mine["forms"].items() if since <= schema.since_version}
        if forms != forms_of(schema, other):
            yield f"{kind} {other.name}: forms {sorted(forms)} instead of {sorted(forms_of(schema, other))}"


def variable_differences(ours: list[dict], schema: defs.OpSchema):
    """Parameters have one type variable where they do in the schema. With us it also ties a sequence to its elements."""
    theirs = list(schema.inputs) + list(schema.outputs)
    variables = {constraint.type_param_str for constraint in schema.type_constraints}
    for i, a in enumerate(theirs):
        for j, b in enumerate(theirs[:i]):
            if a.type_str not in variables or b.type_str not in variables:
                continue
            same = ours[i]["variable"] == ours[j]["variable"]
            if same and (ours[i]["forms"] != ours[j]["forms"] or len(ours[i]["types"]) == 1):
                continue
            if same != (a.type_str == b.type_str):
                yield f"{b.name} and {a.name} have {'one variable' if same else 'two variables'}"


def attribute_differences(ours: list[dict], schema: defs.OpSchema):
    mine = {row["name"]: row for row in ours}
    for name in sorted(mine.keys() | schema.attributes.keys()):
        if name not in mine or name not in schema.attributes:
            yield f"attribute {name} is {'missing' if name not in mine else 'surplus'}"
            continue
        row, theirs = mine[name], schema.attributes[name]
        if row["required"] != theirs.required:
            yield f"attribute {name}: required is {row['required']}"
        expected = TOLD.get((schema.name, schema.since_version, name), default_of(theirs))
        if isinstance(expected, list) and isinstance(expected[0], bytes):
            continue  # lists of texts are defaults of RNN, GRU and LSTM alone, which know them
        if row["default"] != expected:
            yield f"attribute {name}: default {row['default']} instead of {expected}"


def version_differences(ours: dict, schema: defs.OpSchema, is_newest: bool):
    opset = schema.since_version
    inputs, outputs = in_opset(ours["inputs"], opset), in_opset(ours["outputs"], opset)
    found = [*parameter_differences("input", inputs, schema),
             *parameter_differences("output", outputs, schema)]
    if is_newest and not found:
        found += variable_differences(inputs + outputs, schema)
    found += attribute_differences(in_opset(ours["attributes"], opset), schema)
    return [f"{ours['name']}-{opset}: {text}" for text in found]


def differences(ours: list[dict], schemas: list[defs.OpSchema]) -> list[str]:
    """What our records of one operator say otherwise than its history."""
    out = []
    for record in ours:
        known = [schema for schema in schemas if record["since"] <= schema.since_version <= record["until"]]
        opsets = {schema.since_version for schema in known}
        if opsets != opsets_of(record):
            out.append(f"{record['name']}: opsets {sorted(opsets_of(record))} instead of {sorted(opsets)}")
        for schema in known:
            out += version_differences(record, schema, schema is known[-1])
    return out


def all_differences() -> list[str]:
    run = subprocess.run([SIGNATURES], capture_output=True, text=True, check=True)
    ours = defaultdict(list)
    for record in json.loads(run.stdout):
        ours[record["domain"], record["name"]].append(record)
    theirs = histories()
    out = [f"{name} of {domain or 'ai.onnx'} is not in the onnx package"
           for domain, name in sorted(ours.keys() - theirs.keys()) if domain in {key[0] for key in theirs}]
    for key, schemas in sorted(theirs.items()):
        if key in ours:
            out += differences(ours[key], schemas)
        elif key not in REFUSED and not schemas[-1].deprecated:
            out.append(f"{key[1]} of {key[0] or 'ai.onnx'} is missing")
    return out


class Operators(unittest.TestCase):
    def test_signatures_agree(self):
        self.assertEqual([], all_differences())


if __name__ == "__main__":
    print("\n".join(all_differences()))
