#!/usr/bin/env python3
"""Make the models of tests/data/onnx and the MACs that they must come to (macs.csv).

    tools/make_onnx_models.py EXPORTS

EXPORTS is a folder with the exports of tools/export_onnx_models.py; models are stripped of their weights. The models
of operators are built here, those called light_* come from the onnx package. Made with onnx 1.23.2 and, to run what
shape inference leaves open, onnxruntime 1.31.1. MACs are counted by tools/count_onnx.py.
"""

import csv
import glob
import os
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import count_onnx

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "tests", "data", "onnx")
MS = "com.microsoft"
KEPT_BYTES = 512  # values of this size may be shapes

# exports and the sizes they are counted with
EXPORTS = {
    "alexnet_ts": "batch=1", "vgg16_ts": "batch=1", "resnet18_ts": "batch=1", "resnet50_dyn": "batch=1",
    "mobilenet_v2_dyn": "batch=1", "mobilenet_v3_ts": "batch=1", "efficientnet_b0_dyn": "batch=1",
    "densenet121_ts": "batch=1", "convnext_tiny_dyn": "", "vit_b16_ts": "batch=2", "vit_b16_dyn": "",
    "swin_small_ts": "batch=2", "swin_t_dyn": "", "bert_ts": "batch=2,seq=100", "bert_dyn": "batch=2,seq=100",
    "gpt2_dyn": "seq=100", "llama_dyn": "seq=100", "lstm_ts": "", "gru_ts": "",
    "mobilenet_v2_qdq": "", "mobilenet_v2_qop": "", "bert_int8": "batch=1,seq=128",
}


# ---- stripping ----


def strip_tensor(tensor):
    size = max(len(tensor.raw_data), 4 * len(tensor.float_data), 8 * len(tensor.int64_data), 4 * len(tensor.int32_data))
    tensor.doc_string = ""
    external = tensor.data_location == TensorProto.EXTERNAL
    if size <= KEPT_BYTES and not external:
        return
    for field in ("raw_data", "float_data", "int64_data", "int32_data", "double_data", "external_data"):
        tensor.ClearField(field)


def strip(model):
    """Weights, notes and stale shapes away; names, shapes and small values stay."""
    graph = model.graph
    model.producer_version, model.doc_string = "", ""
    del model.metadata_props[:]
    for what in (graph.value_info, graph.metadata_props):
        del what[:]
    for tensor in graph.initializer:
        strip_tensor(tensor)
    for node in graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
        for attr in node.attribute:
            attr.doc_string = ""
            if attr.HasField("t"):
                strip_tensor(attr.t)
    return model


# ---- models of operators ----


class Maker:
    """A graph being built; names of inputs and weights are given by shape."""

    def __init__(self):
        self.nodes, self.inputs, self.weights, self.outputs, self.functions = [], [], [], [], []

    def input(self, *dims, elem=TensorProto.FLOAT, name=None):
        name = name or f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, elem, dims))
        return name

    def weight(self, *dims, elem=TensorProto.FLOAT):
        name = f"w{len(self.weights)}"
        self.weights.append(TensorProto(name=name, dims=dims, data_type=elem))
        return name

    def ints(self, *values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(numpy.array(values, numpy.int64), name))
        return name

    def number(self, value, kind=numpy.int64):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(numpy.array(value, kind), name))
        return name

    def node(self, op, inputs, n=1, domain="", name=None, **attrs):
        outputs = [f"t{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(n)]
        self.nodes.append(
            helper.make_node(op, inputs, outputs, name=f"{op}_{len(self.nodes)}" if name is None else name,
                             domain=domain, **attrs))
        return outputs[0] if n == 1 else outputs

    def model(self, opset=23):
        domains = {node.domain for node in self.nodes} | {""}
        imports = [helper.make_opsetid(d, opset if not d else 1) for d in sorted(domains)]
        graph = helper.make_graph(self.nodes, "graph", self.inputs, [], self.weights)
        last = self.nodes[-1].output[0]
        graph.output.append(helper.make_empty_tensor_value_info(last))
        return helper.make_model(graph, opset_imports=imports, functions=self.functions, ir_version=10)


def conv():
    m = Maker()
    x = m.input(2, 8, 13, 17)
    m.node("Conv", [x, m.weight(16, 8, 3, 3), m.weight(16)], pads=[1, 0, 2, 1], strides=[2, 3])
    m.node("Conv", [x, m.weight(12, 2, 3, 5)], group=4, dilations=[2, 1], kernel_shape=[3, 5])
    m.node("Conv", [x, m.weight(24, 1, 3, 3)], group=8)  # depthwise with three outputs per channel
    m.node("Conv", [x, m.weight(8, 1, 3, 3)], group=8, auto_pad="SAME_UPPER", strides=[2, 2])
    m.node("Conv", [x, m.weight(4, 8, 4, 4)], auto_pad="SAME_LOWER", strides=[3, 2])
    m.node("Conv", [x, m.weight(4, 8, 4, 4)], auto_pad="VALID", strides=[3, 2])
    m.node("Conv", [m.input(3, 6, 50), m.weight(9, 2, 7)], group=3, strides=[2], pads=[3, 2])
    video = m.input(1, 3, 8, 20, 20)
    m.node("Conv", [video, m.weight(5, 3, 3, 3, 3)], pads=[1] * 6)
    m.node("Conv", [video, m.weight(5, 3, 2, 4, 4)], strides=[2, 4, 4])
    m.node("Conv", [video, m.weight(5, 3, 1, 3, 3)], dilations=[1, 2, 2])
    return m.model()


def conv_transpose():
    m = Maker()
    x = m.input(2, 6, 7, 9)
    m.node("ConvTranspose", [x, m.weight(6, 4, 3, 3)], strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1])
    m.node("ConvTranspose", [x, m.weight(6, 4, 2, 4)], group=2, strides=[2, 3], dilations=[1, 2])
    y = m.node("ConvTranspose", [x, m.weight(6, 4, 3, 3)], strides=[3, 3], auto_pad="SAME_UPPER")
    m.node("Conv", [y, m.weight(2, 4, 3, 3)])
    m.node("ConvTranspose", [m.input(1, 4, 11), m.weight(4, 3, 5)], strides=[3])
    m.node("ConvTranspose", [m.input(1, 4, 3, 5, 6), m.weight(4, 2, 2, 2, 2)], strides=[2, 2, 2])
    return m.model()


def matmul():
    m = Maker()
    x, y = m.input(2, 3, 5, 7), m.input(3, 7, 4)
    m.node("MatMul", [x, m.weight(7, 11)])
    m.node("MatMul", [x, y])
    m.node("MatMul", [m.weight(9, 5), x])
    m.node("MatMul", [m.input(5), m.weight(5, 6)])
    m.node("MatMul", [m.input(4, 5), m.input(5)])
    m.node("MatMul", [m.input(6), m.input(6)])
    m.node("MatMul", [m.input(6, 7), m.weight(7, 8)])
    m.node("MatMul", [m.input(2, 1, 3, 4), m.input(1, 5, 4, 6)])
    m.node("MatMul", [m.input(3, 4), m.input(5, 4, 6)])
    m.node("Gemm", [m.input(3, 8), m.weight(10, 8), m.weight(10)], transB=1)
    m.node("Gemm", [m.input(8, 3), m.input(8, 10)], transA=1)
    transposed = m.node("Transpose", [m.weight(4, 6)])
    m.node("MatMul", [m.input(2, 3, 6), transposed])
    filled = m.node("ConstantOfShape", [m.ints(6, 5)])
    m.node("MatMul", [m.input(2, 3, 6), filled])
    return m.model()


def integer():
    m = Maker()
    u8, i8 = TensorProto.UINT8, TensorProto.INT8
    x, a = m.input(1, 4, 9, 9, elem=u8), m.input(2, 6, 8, elem=u8)
    one, zero, szero = m.number(0.1, numpy.float32), m.number(0, numpy.uint8), m.number(0, numpy.int8)
    m.node("ConvInteger", [x, m.weight(6, 4, 3, 3, elem=i8), zero, szero], pads=[1, 1, 1, 1])
    m.node("QLinearConv", [x, one, zero, m.weight(6, 4, 3, 3, elem=i8), one, szero, one, zero], strides=[2, 2])
    m.node("MatMulInteger", [a, m.weight(8, 5, elem=i8), zero, szero])
    m.node("QLinearMatMul", [a, one, zero, m.weight(8, 5, elem=i8), one, szero, one, zero])
    m.node("QGemm", [m.input(3, 8, elem=u8), one, zero, m.weight(7, 8, elem=i8), one, szero], domain=MS, transB=1)
    f = m.input(2, 6, 16)
    m.node("MatMulNBits", [f, m.weight(5, 1, 8, elem=u8), m.weight(5)], domain=MS, K=16, N=5, bits=4, block_size=16)
    m.node("DynamicQuantizeMatMul", [f, m.weight(16, 3, elem=i8), m.weight(1)], domain=MS)
    m.node("FusedMatMul", [f, m.weight(3, 16)], domain=MS, transB=1)
    weight = m.node("DequantizeLinear", [m.weight(5, 16, elem=i8), one, szero])
    data = m.node("DequantizeLinear", [m.node("QuantizeLinear", [f, one, zero]), one, zero])
    y = m.node("MatMul", [data, m.node("Transpose", [weight], perm=[1, 0])], name="qdq")
    m.node("QuantizeLinear", [m.node("Relu", [y]), one, zero])
    return m.model(21)


def attention():
    m = Maker()
    q, k, v = m.input(2, 8, 10, 16), m.input(2, 2, 12, 16), m.input(2, 2, 12, 20)
    m.node("Attention", [q, k, v], name="heads")
    flat = [m.input(2, 10, 64), m.input(2, 12, 32), m.input(2, 12, 40)]
    m.node("Attention", flat, name="flat", q_num_heads=4, kv_num_heads=2)
    past = [m.input(2, 2, 5, 16), m.input(2, 2, 5, 20)]
    y = m.node("Attention", [q, k, v, "", *past], n=3, name="cache")
    m.node("MatMul", [y[1], m.weight(16, 3)], name="of_cache")
    return m.model()


def attention_ms():
    m = Maker()
    x = m.input(2, 10, 32)
    m.node("Attention", [x, m.weight(32, 96), m.weight(96)], domain=MS, name="packed", num_heads=4)
    m.node("Attention", [x, m.weight(32, 80), m.weight(80), "", m.input(2, 2, 4, 6, 8)], domain=MS, name="sizes",
           num_heads=4, qkv_hidden_sizes=[32, 32, 16])
    kv = m.input(2, 12, 32)
    m.node("MultiHeadAttention", [x, kv, kv], domain=MS, name="cross", num_heads=8)
    m.node("MultiHeadAttention", [m.input(2, 10, 4, 3, 8)], domain=MS, name="all_packed", num_heads=4)
    m.node("MultiHeadAttention", [x, m.input(2, 4, 7, 8), m.input(2, 4, 7, 8)], domain=MS, name="apart", num_heads=4)
    grouped = [x, m.input(2, 10, 16), m.input(2, 10, 16), m.input(2, 2, 6, 8), m.input(2, 2, 6, 8)]
    lengths = [m.input(2, elem=TensorProto.INT32), m.number(16, numpy.int32)]
    m.node("GroupQueryAttention", grouped + lengths, domain=MS, name="grouped", num_heads=4, kv_num_heads=2)
    packed = [m.input(2, 10, 64), "", "", m.input(2, 2, 6, 8), m.input(2, 2, 6, 8)]
    m.node("GroupQueryAttention", packed + lengths, domain=MS, name="grouped_packed", num_heads=4, kv_num_heads=2)
    return m.model()


def recurrent():
    m = Maker()
    x = m.input(7, 2, 5)
    y = m.node("LSTM", [x, m.weight(2, 32, 5), m.weight(2, 32, 8), "", "", m.input(2, 2, 8)], n=3,
               direction="bidirectional", hidden_size=8)
    m.node("GRU", [x, m.weight(1, 24, 5), m.weight(1, 24, 8)], hidden_size=8, direction="reverse")
    m.node("RNN", [m.input(2, 7, 5), m.weight(1, 8, 5), m.weight(1, 8, 8)], hidden_size=8, layout=1)
    flat = m.node("Reshape", [m.node("Transpose", [y[0]], perm=[0, 2, 1, 3]), m.ints(0, 0, -1)])
    m.node("MatMul", [flat, m.weight(16, 3)], name="after")
    return m.model(21)


def einsum():
    m = Maker()
    q, k = m.input(2, 5, 4, 8), m.input(2, 6, 4, 8)
    scores = m.node("Einsum", [q, k], equation="bqhd,bkhd->bhqk")
    m.node("Einsum", [scores, k], equation="bhqk, bkhd -> bqhd")
    m.node("Einsum", [m.input(2, 3, 7), m.weight(7, 9)], equation="...i,ij->...j")
    m.node("Einsum", [m.input(3, 4), m.input(4, 5)], equation="ij,jk")
    m.node("Einsum", [m.input(6), m.input(9)], equation="i, j -> i j")  # an outer product: no layer
    m.node("Einsum", [m.input(6, 7)], equation="ij->ji")
    return m.model()


def shapes():
    """Shapes computed by the network itself, and operators without MACs that decide later sizes."""
    m = Maker()
    x = m.input("batch", 6, "rows", 20)
    shape = m.node("Shape", [x])
    rows = m.node("Gather", [shape, m.number(-2)], axis=0)
    half = m.node("Unsqueeze", [m.node("Div", [rows, m.number(2)]), m.ints(0)])
    first = m.node("Slice", [shape, m.ints(0), m.ints(1), m.ints(0)])
    target = m.node("Concat", [first, m.ints(-1), half, m.ints(40)], axis=0)
    y = m.node("Reshape", [x, target])
    y = m.node("Conv", [y, m.weight(8, 6, 3, 3)], name="reshaped")
    y = m.node("MaxPool", [y], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1, pads=[0, 1, 1, 0])
    y = m.node("Conv", [y, m.weight(8, 8, 1, 1)], name="pooled")
    y = m.node("Pad", [y, m.ints(0, 0, 1, 2, 0, 0, 3, -1)])
    y = m.node("Conv", [y, m.weight(8, 8, 1, 1)], name="padded")
    scales = m.weight(4)
    m.weights[-1].CopyFrom(numpy_helper.from_array(numpy.array([1, 1, 1.7, 2.5], numpy.float32), scales))
    y = m.node("Resize", [y, "", scales])
    y = m.node("Conv", [y, m.weight(8, 8, 1, 1)], name="resized")
    y = m.node("Slice", [y, m.ints(-1, 2), m.ints(-(2**63), 2**63 - 1), m.ints(2, 3), m.ints(-2, 3)])
    y = m.node("Conv", [y, m.weight(8, 8, 1, 1)], name="sliced")
    a, b, c = m.node("Split", [y], n=3, axis=1, num_outputs=3)
    m.node("Conv", [c, m.weight(4, 2, 1, 1)], name="split")
    m.node("MatMul", [m.node("Flatten", [a], axis=2), m.node("Transpose", [m.node("Flatten", [b], axis=2)])],
           name="flat")
    ranged = m.node("Range", [m.number(0), rows, m.number(3)])
    wide = m.node("Expand", [m.node("Cast", [ranged], to=TensorProto.FLOAT), m.ints(5, 1)])
    m.node("MatMul", [wide, m.node("ConstantOfShape", [m.node("Concat", [m.node("Shape", [ranged]), m.ints(3)], axis=0)])],
           name="ranged")
    limit = m.node("Where", [m.node("Equal", [m.ints(-1, 4), m.ints(-1, -1)]), m.ints(1, 1), m.ints(-1, 4)])
    m.node("MatMul", [m.node("Tile", [m.input(3, 4), limit]), m.weight(16, 2)], name="tiled")
    kept = m.node("ReduceProd", [shape], keepdims=1)
    m.node("MatMul", [m.node("Reshape", [x, m.node("Concat", [kept, m.ints(1)], axis=0)]), m.weight(1, 2)], name="all")
    return m.model(21)


def names():
    """Layers without names, with names that repeat, and with names that hold anything."""
    m = Maker()
    x = m.input(1, 4)
    for name in ("", "twice", "twice", "/model/layer.0/MatMul:0", 'a "b" {c}: 1', "line\nbreak", "", "x" * 300):
        m.node("MatMul", [x, m.weight(4, 4)], name=name)
    return m.model()


def function():
    """A function of the model that is called twice, with an attribute of the call inside."""
    m = Maker()
    body = [helper.make_node("Gemm", ["a", "b"], ["c"], name="product"), helper.make_node("Relu", ["c"], ["d"])]
    attr = helper.make_attribute("transB", 1)
    attr.ClearField("i")
    attr.name, attr.ref_attr_name = "transB", "turned"
    body[0].attribute.append(attr)
    m.functions.append(helper.make_function("own", "Dense", ["a", "b"], ["d"], body, [helper.make_opsetid("", 21)],
                                            ["turned"]))
    y = m.node("Dense", [m.input(3, 8), m.weight(8, 5)], domain="own", name="first", turned=0)
    m.node("Dense", [y, m.weight(6, 5)], domain="own", name="second", turned=1)
    return m.model(21)


def llama_7b():
    """The graph of Llama-2-7B as onnxruntime runs it, 6.6 G parameters in a file that is not there."""
    m = Maker()
    width, heads, hidden = 4096, 32, 11008

    def weight(*dims):
        name = m.weight(*dims, elem=TensorProto.FLOAT16)
        m.weights[-1].data_location = TensorProto.EXTERNAL
        m.weights[-1].external_data.add(key="location", value="llama_7b.onnx.data")
        return name

    ids = m.input("batch", "seq", elem=TensorProto.INT64, name="ids")
    lengths = [m.input("batch", elem=TensorProto.INT32, name="lengths"), m.number(1, numpy.int32)]
    x = m.node("Gather", [weight(32000, width), ids])
    for block in range(32):
        past = [m.input("batch", heads, "past", 128, elem=TensorProto.FLOAT16, name=f"past_{block}_{k}") for k in "kv"]
        y = m.node("SimplifiedLayerNormalization", [x, weight(width)])
        q, k, v = (m.node("MatMul", [y, weight(width, width)], name=f"/{block}/{n}") for n in "qkv")
        y = m.node("GroupQueryAttention", [q, k, v, *past, *lengths], n=3, domain=MS, name=f"/{block}/attn",
                   num_heads=heads, kv_num_heads=heads)[0]
        x = m.node("Add", [x, m.node("MatMul", [y, weight(width, width)], name=f"/{block}/o")])
        y = m.node("SimplifiedLayerNormalization", [x, weight(width)])
        gate, up = (m.node("MatMul", [y, weight(width, hidden)], name=f"/{block}/{n}") for n in ("gate", "up"))
        y = m.node("Mul", [m.node("Mul", [gate, m.node("Sigmoid", [gate])]), up])
        x = m.node("Add", [x, m.node("MatMul", [y, weight(hidden, width)], name=f"/{block}/down")])
    m.node("MatMul", [m.node("SimplifiedLayerNormalization", [x, weight(width)]), weight(width, 32000)], name="head")
    return m.model(21)


OPERATORS = {
    conv: "", conv_transpose: "", matmul: "", integer: "", attention: "", attention_ms: "", recurrent: "", einsum: "",
    shapes: "batch=2,rows=30",
}


# ---- models that must be refused ----


def branch(op, domain="", **attrs):
    m = Maker()
    inner = helper.make_graph([helper.make_node("Identity", ["x0"], ["y"])], "inner", [],
                              [helper.make_empty_tensor_value_info("y")])
    subgraphs = {"If": {"then_branch": inner, "else_branch": inner}, "Loop": {"body": inner},
                 "Scan": {"body": inner, "num_scan_inputs": 1}}.get(op, {})
    y = m.node(op, [m.input(4, 4)], domain=domain, name="culprit", **subgraphs, **attrs)
    m.node("MatMul", [y, m.weight(4, 4)], name="behind")
    m.node("MatMul", ["x0", m.weight(4, 4)], name="beside")
    return m.model(21)


def by_data():
    m = Maker()
    found = m.node("NonZero", [m.input(4, 4)], name="culprit")
    m.node("MatMul", [m.node("Cast", [found], to=1), m.weight(4, 4)], name="behind")
    m.node("MatMul", ["x0", m.weight(4, 4)], name="beside")
    return m.model(21)


def recursive():
    m = Maker()
    body = [helper.make_node("Self", ["a"], ["b"], domain="own")]
    m.functions.append(helper.make_function("own", "Self", ["a"], ["b"], body, [helper.make_opsetid("own", 1)], []))
    m.node("Self", [m.input(4, 4)], domain="own", name="culprit")
    m.node("MatMul", ["x0", m.weight(4, 4)], name="beside")
    return m.model(21)


def too_large():
    m = Maker()
    m.node("MatMul", [m.input(2**20, 2**20), m.input(2**20, 2**20)], name="culprit")
    m.node("MatMul", [m.input(4, 4), m.weight(4, 4)], name="beside")
    return m.model(21)


def no_value():
    """The shape of a Reshape is a constant whose value was stripped."""
    m = Maker()
    y = m.node("Reshape", [m.input(4, 4), m.weight(2, elem=TensorProto.INT64)], name="culprit")
    m.node("MatMul", [y, m.weight(4, 4)], name="behind")
    m.node("MatMul", ["x0", m.weight(4, 4)], name="beside")
    return m.model(21)


def three_operands():
    m = Maker()
    m.node("Einsum", [m.input(4, 4), m.input(4, 4), m.input(4, 4)], name="culprit", equation="ij,jk,kl->il")
    m.node("MatMul", ["x0", m.weight(4, 4)], name="beside")
    return m.model(21)


REFUSED = {
    "if": lambda: branch("If"), "loop": lambda: branch("Loop"), "scan": lambda: branch("Scan"),
    "domain": lambda: branch("Secret", "com.example"), "unknown": lambda: branch("Fold"),
    "classifier": lambda: branch("LinearClassifier", "ai.onnx.ml"), "by_data": by_data, "recursive": recursive,
    "too_large": too_large, "no_value": no_value, "three_operands": three_operands,
}


# ---- all of them ----


def save(model, name):
    with open(os.path.join(FOLDER, name + ".onnx"), "wb") as file:
        file.write(model.SerializeToString(deterministic=True))


def count_into(rows, name, sizes, model, path=None):
    for layer, macs in count_onnx.count(model, count_onnx.parse_sizes(sizes), path):
        rows.append([name, sizes, layer, macs])


def main():
    exports = sys.argv[1]
    rows = []
    os.makedirs(FOLDER, exist_ok=True)
    light = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light", "*.onnx")
    for path in sorted(glob.glob(light)):
        name = os.path.basename(path)[: -len(".onnx")]
        save(strip(onnx.load(path)), name)
        count_into(rows, name, "", onnx.load(path))
    for name, sizes in EXPORTS.items():
        path = os.path.join(exports, name + ".onnx")
        save(strip(onnx.load(path, load_external_data=False)), name)
        count_into(rows, name, sizes, onnx.load(path, load_external_data=False), path)
    for make, sizes in OPERATORS.items():
        save(make(), make.__name__)
        count_into(rows, make.__name__, sizes, make())
    save(llama_7b(), "llama_7b")
    save(names(), "names")
    save(function(), "function")
    for name, make in REFUSED.items():
        save(make(), "refused_" + name)
    with open(os.path.join(FOLDER, "macs.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "sizes", "layer", "macs"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
