#!/usr/bin/env python3
"""Writes ResNet-50 and BERT-base with random weights as ONNX files, the way exporters of PyTorch write them
(opset 17: Conv, BatchNormalization, Relu apart; GELU as Div, Erf, Add, Mul, Mul).  Usage: make_models.py FOLDER"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Builder:
    def __init__(self, name, seed):
        self.name, self.random = name, np.random.default_rng(seed)
        self.nodes, self.weights, self.count = [], [], 0

    def weight(self, *shape, scale=None, value=None):
        if value is None:
            fan_in = int(np.prod(shape[1:])) if len(shape) != 2 else shape[0]
            scale = scale if scale is not None else (2.0 / max(fan_in, 1)) ** 0.5
            value = (self.random.standard_normal(shape) * scale).astype(np.float32)
        self.count += 1
        name = f"w{self.count}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def add(self, op, *inputs, **attributes):
        self.count += 1
        name = f"v{self.count}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=f"{op}_{self.count}", **attributes))
        return name

    def save(self, folder, inputs, result, shape):
        output = helper.make_tensor_value_info(result, TensorProto.FLOAT, shape)
        graph = helper.make_graph(self.nodes, self.name, inputs, [output], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, folder / f"{self.name}.onnx")


def resnet50(folder):
    b = Builder("resnet50", 1)

    def conv(x, cin, cout, kernel, stride=1, relu=True):
        pad = kernel // 2
        y = b.add("Conv", x, b.weight(cout, cin, kernel, kernel), kernel_shape=[kernel, kernel],
                  strides=[stride, stride], pads=[pad] * 4)
        ones = np.abs(b.random.normal(1, 0.1, cout)).astype(np.float32)
        gain = ones if relu else ones * np.float32(0.3)  # sums of blocks must not grow layer by layer
        y = b.add("BatchNormalization", y, b.weight(value=gain), b.weight(cout, scale=0.1), b.weight(cout, scale=0.1),
                  b.weight(value=ones))
        return b.add("Relu", y) if relu else y

    def block(x, cin, width, cout, stride):
        y = conv(x, cin, width, 1)
        y = conv(y, width, width, 3, stride)
        y = conv(y, width, cout, 1, relu=False)
        if cin != cout or stride != 1:
            x = conv(x, cin, cout, 1, stride, relu=False)
        return b.add("Relu", b.add("Add", y, x))

    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 224, 224])
    x = conv("image", 3, 64, 7, 2)
    x = b.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    channels = 64
    for stage, (count, width) in enumerate([(3, 64), (4, 128), (6, 256), (3, 512)]):
        for i in range(count):
            x = block(x, channels, width, width * 4, 2 if stage > 0 and i == 0 else 1)
            channels = width * 4
    x = b.add("Flatten", b.add("GlobalAveragePool", x), axis=1)
    x = b.add("Gemm", x, b.weight(1000, 2048, scale=0.01), b.weight(1000, scale=0.01), transB=1)
    b.save(folder, [image], x, [1, 1000])


def bert_base(folder, layers=12, width=768, heads=12, length=128):
    b = Builder("bert_base", 2)
    depth = width // heads

    def linear(x, cin, cout):
        return b.add("Add", b.weight(cout, scale=0.02), b.add("MatMul", x, b.weight(cin, cout, scale=0.02)))

    def norm(x):
        return b.add("LayerNormalization", x, b.weight(value=np.ones(width, np.float32)), b.weight(width, scale=0.02),
                     axis=-1, epsilon=1e-12)

    def gelu(x):
        half = b.add("Div", x, b.weight(value=np.float32(2 ** 0.5)))
        gate = b.add("Add", b.add("Erf", half), b.weight(value=np.float32(1)))
        return b.add("Mul", b.add("Mul", x, gate), b.weight(value=np.float32(0.5)))

    def split_heads(x, order):
        shape = b.weight(value=np.array([1, length, heads, depth], np.int64))
        return b.add("Transpose", b.add("Reshape", x, shape), perm=order)

    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, length])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.FLOAT, [1, 1, 1, length])
    words = b.add("Gather", b.weight(30522, width, scale=0.02), "input_ids", axis=0)
    x = norm(b.add("Add", words, b.weight(1, length, width, scale=0.02)))
    bias = b.add("Mul", b.add("Sub", b.weight(value=np.float32(1)), "attention_mask"),
                 b.weight(value=np.float32(-10000)))
    for _ in range(layers):
        q = split_heads(linear(x, width, width), [0, 2, 1, 3])
        k = split_heads(linear(x, width, width), [0, 2, 3, 1])
        v = split_heads(linear(x, width, width), [0, 2, 1, 3])
        scores = b.add("Div", b.add("MatMul", q, k), b.weight(value=np.float32(depth ** 0.5)))
        weights = b.add("Softmax", b.add("Add", scores, bias), axis=-1)
        mixed = b.add("Transpose", b.add("MatMul", weights, v), perm=[0, 2, 1, 3])
        mixed = b.add("Reshape", mixed, b.weight(value=np.array([1, length, width], np.int64)))
        x = norm(b.add("Add", linear(mixed, width, width), x))
        x = norm(b.add("Add", linear(gelu(linear(x, width, 4 * width)), 4 * width, width), x))
    b.save(folder, [ids, mask], x, [1, length, width])


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    resnet50(target)
    bert_base(target)
