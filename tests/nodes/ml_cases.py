#!/usr/bin/env python3
"""Writes cases of the ai.onnx.ml operators, of which the onnx package has few, in the form that node_tests reads.  The
expected outputs are those of onnx's reference evaluator; forms in which it and onnxruntime differ are left out.
Usage: ml_cases.py FOLDER"""

import pathlib
import sys

import numpy
from onnx import MapProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

DOMAIN = "ai.onnx.ml"
RANDOM = numpy.random.default_rng(7)


def numbers(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def write(root, name, op, x, outputs, opset=3, **attributes):
    node = helper.make_node(op, ["x"], [f"y{i}" for i in range(outputs)], domain=DOMAIN, **attributes)
    element = helper.np_dtype_to_tensor_dtype(x.dtype)
    graph = helper.make_graph(
        [node],
        name,
        [helper.make_tensor_value_info("x", element, list(x.shape))],
        [helper.make_empty_tensor_value_info(f"y{i}") for i in range(outputs)],
    )
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid(DOMAIN, opset), helper.make_opsetid("", 18)], ir_version=9
    )
    data = root / f"ml_{name}" / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    (data / "input_0.pb").write_bytes(numpy_helper.from_array(x).SerializeToString())
    for i, value in enumerate(ReferenceEvaluator(model).run(None, {"x": x})):
        (data / f"output_{i}.pb").write_bytes(numpy_helper.from_array(numpy.asarray(value)).SerializeToString())
    (data.parent / "model.onnx").write_bytes(model.SerializeToString())


def write_map(root, name, op, map_type, values, **attributes):
    """A case whose input is a map."""
    key, value = map_type
    kind = helper.make_map_type_proto(key, helper.make_tensor_type_proto(value, []))
    node = helper.make_node(op, ["x"], ["y"], domain=DOMAIN, **attributes)
    graph = helper.make_graph([node], name, [helper.make_value_info("x", kind)],
                              [helper.make_empty_tensor_value_info("y")])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid(DOMAIN, 3), helper.make_opsetid("", 18)], ir_version=9
    )
    data = root / f"ml_{name}" / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    element = helper.tensor_dtype_to_np_dtype(value)
    held = MapProto(name="x", key_type=key)
    held.values.CopyFrom(numpy_helper.from_list([numpy.array(number, dtype=element) for number in values.values()]))
    if key == TensorProto.STRING:
        held.string_keys.extend(word.encode() for word in values)
    else:
        held.keys.extend(values)
    (data / "input_0.pb").write_bytes(held.SerializeToString())
    for i, expected in enumerate(ReferenceEvaluator(model).run(None, {"x": values})):
        made = numpy.asarray(expected).astype(element)
        (data / f"output_{i}.pb").write_bytes(numpy_helper.from_array(made).SerializeToString())
    (data.parent / "model.onnx").write_bytes(model.SerializeToString())


def maps(root):
    text, whole, real = TensorProto.STRING, TensorProto.INT64, TensorProto.FLOAT
    write_map(root, "vectorizer_strings", "DictVectorizer", (text, real), {"c": 4.0, "a": 2.5},
              string_vocabulary=["a", "b", "c", "d"])
    write_map(root, "vectorizer_ints", "DictVectorizer", (whole, real), {7: 1.5, 100: -2.0},
              int64_vocabulary=[100, 7, 3])


def simple(root):
    x = numbers(4, 3)
    write(root, "scaler", "Scaler", x, 1, offset=[0.5, 1.0, -1.0], scale=[2.0, 0.5, 3.0])
    write(root, "scaler_one", "Scaler", x, 1, offset=[0.5], scale=[2.0])
    write(root, "binarizer", "Binarizer", x, 1, threshold=0.25)
    write(root, "feature_vectorizer", "FeatureVectorizer", x, 1, inputdimensions=[3])
    for norm in ("L1", "L2"):
        write(root, f"normalizer_{norm}", "Normalizer", x, 1, norm=norm)
    positive = numpy.abs(numbers(3, 5))
    write(root, "normalizer_MAX", "Normalizer", positive, 1, norm="MAX")
    holes = numbers(3, 4)
    holes[0, 1] = holes[2, 3] = numpy.nan
    write(root, "imputer_nan", "Imputer", holes, 1, imputed_value_floats=[1.0, 2, 3, 4], replaced_value_float=numpy.nan)
    whole = numpy.array([[1, 5, 5], [7, 1, 5]], dtype=numpy.int64)
    write(root, "imputer_int", "Imputer", whole, 1, imputed_value_int64s=[9], replaced_value_int64=5)
    write(root, "one_hot_int", "OneHotEncoder", whole[0], 1, cats_int64s=[5, 1, 8])
    words = numpy.array(["a", "c", "b", "a"], dtype=object)
    write(root, "one_hot_string", "OneHotEncoder", words, 1, cats_strings=["a", "b"])
    write(root, "label_strings", "LabelEncoder", words, 1, keys_strings=["a", "b"], values_int64s=[3, 4])
    write(root, "label_ints", "LabelEncoder", whole, 1, keys_int64s=[1, 5], values_strings=["x", "y"])
    write(root, "label_floats", "LabelEncoder", whole, 1, keys_int64s=[1, 7], values_floats=[0.5, 2.5],
          default_float=-9.0)


def linear(root):
    x = numbers(5, 3)
    write(root, "linear_regressor", "LinearRegressor", x, 1, coefficients=numbers(6), intercepts=[0.1, 0.2], targets=2)
    for after in ("NONE", "LOGISTIC"):
        write(root, f"linear_classifier_{after}", "LinearClassifier", x, 2, coefficients=numbers(9),
              intercepts=numbers(3), classlabels_ints=[4, 5, 9], post_transform=after)
    write(root, "linear_classifier_SOFTMAX", "LinearClassifier", x, 2, coefficients=numbers(9), intercepts=numbers(3),
          classlabels_strings=["a", "b", "c"], post_transform="SOFTMAX")
    write(root, "linear_classifier_binary", "LinearClassifier", x, 2, coefficients=numbers(3), intercepts=[0.1],
          classlabels_ints=[4, 5], post_transform="LOGISTIC")


def machines(root):
    x = numbers(5, 3)
    for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID"):
        write(root, f"svm_regressor_{kernel}", "SVMRegressor", x, 1, coefficients=numbers(4), kernel_type=kernel,
              kernel_params=[0.3, 0.2, 2.0], n_supports=4, rho=[0.4], support_vectors=numbers(12))
        write(root, f"svm_classifier_{kernel}", "SVMClassifier", x, 2, coefficients=numbers(14), kernel_type=kernel,
              kernel_params=[0.3, 0.2, 2.0], vectors_per_class=[2, 3, 2], rho=numbers(3), support_vectors=numbers(21),
              classlabels_ints=[3, 1, 2])
    binary = dict(coefficients=numbers(5), kernel_type="RBF", kernel_params=[0.3, 0.0, 0.0], vectors_per_class=[2, 3],
                  rho=[-0.3], support_vectors=numbers(15), classlabels_ints=[3, 1])
    write(root, "svm_classifier_binary", "SVMClassifier", x, 2, **binary)
    write(root, "svm_classifier_probabilities", "SVMClassifier", x, 2, prob_a=[-0.7], prob_b=[0.2], **binary)
#Two trees of three nodes, one of a single leaf.
TREES = dict(
    nodes_treeids=[0, 0, 0, 1, 1, 1, 2],
    nodes_nodeids=[0, 1, 2, 0, 1, 2, 0],
    nodes_featureids=[0, 0, 0, 1, 0, 0, 0],
    nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF", "LEAF"],
    nodes_values=[0.5, 0, 0, -0.2, 0, 0, 0],
    nodes_truenodeids=[1, 0, 0, 1, 0, 0, 0],
    nodes_falsenodeids=[2, 0, 0, 2, 0, 0, 0],
    nodes_missing_value_tracks_true=[1, 0, 0, 0, 0, 0, 0],
)


def votes(prefix, targets):
    return {
        f"{prefix}_treeids": [0, 0, 1, 1, 2],
        f"{prefix}_nodeids": [1, 2, 1, 2, 0],
        f"{prefix}_ids": [i % targets for i in range(5)],
        f"{prefix}_weights": [0.1, 0.7, 0.4, 0.3, 0.2],
}

def trees(root):
    x = numbers(6, 2)
    x[0, 0] = numpy.nan
    for how in ("SUM", "AVERAGE", "MIN", "MAX"):
        write(root, f"tree_regressor_{how}", "TreeEnsembleRegressor", x, 1, n_targets=1, aggregate_function=how,
              base_values=[0.25], **TREES, **votes("target", 1))
    for after in ("NONE", "SOFTMAX", "LOGISTIC"):
        write(root, f"tree_classifier_{after}", "TreeEnsembleClassifier", x, 2, classlabels_int64s=[7, 8, 3],
              base_values=[0.1, 0.2, 0.3], post_transform=after, **TREES, **votes("class", 3))
    write(root, "tree_classifier_binary", "TreeEnsembleClassifier", x, 2, classlabels_strings=["n", "y"], **TREES,
          **votes("class", 1))


def main(target):
    root = pathlib.Path(target)
    for write_family in (maps, simple, linear, machines, trees):
        write_family(root)
    print(f"{len(list(root.iterdir()))} cases in {root}")


if __name__ == "__main__":
    main(sys.argv[1])
