#!/usr/bin/env python3
"""Count the multiply-accumulates of ONNX models, independently of Starling.

Shapes come from onnx.shape_inference; MACs from the shape of what a node makes and what it sums over. Written for
onnx 1.23.2 (PyPI); com.microsoft's operators, which onnx does not infer, must stand on shapes that it does know.

    tools/count_onnx.py MODEL.onnx [NAME=SIZE,...]        prints "layer,macs" rows and the total
"""

import csv
import math
import sys

import numpy
import onnx
from onnx import helper, shape_inference


def set_sizes(model, sizes):
    """Fix open sizes of the inputs; symbols, or INPUT:AXIS."""
    constants = {t.name for t in model.graph.initializer}
    for value in model.graph.input:
        if value.name in constants:
            continue
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            key = f"{value.name}:{axis}"
            if key in sizes:
                dim.dim_value = sizes[key]
            elif dim.dim_param in sizes:
                dim.dim_value = sizes[dim.dim_param]
            elif dim.dim_param and "+" in dim.dim_param:
                terms = [t.strip() for t in dim.dim_param.split("+")]
                dim.dim_value = sum(int(t) if t.isdigit() else sizes[t] for t in terms)


class Shapes:
    """Shapes of all tensors of a graph, inferred from its inputs."""

    def __init__(self, model, path):
        """`path` holds the weights that the model needs to run, if it does not hold them itself."""
        self.model, self.path, self.ran = model, path, False
        del model.graph.value_info[:]
        for value in model.graph.output:  # stale sizes of exports
            value.type.tensor_type.ClearField("shape")
        try:
            model = shape_inference.infer_shapes(model, data_prop=True)
        except Exception:  # a model whose types onnx does not know: its inputs remain
            pass
        self.dims = {}
        for value in [*model.graph.input, *model.graph.value_info, *model.graph.output]:
            shape = value.type.tensor_type.shape
            if value.type.tensor_type.HasField("shape"):
                self.dims[value.name] = [d.dim_value if d.HasField("dim_value") else None for d in shape.dim]
        for tensor in model.graph.initializer:
            self.dims[tensor.name] = list(tensor.dims)
        for tensor in model.graph.sparse_initializer:
            self.dims[tensor.values.name] = list(tensor.dims)

    def run(self):
        """Execute the model on zeros: the shapes of everything that its nodes make."""
        import onnxruntime  # 1.31.1, only where inference leaves shapes open

        whole = onnx.ModelProto()
        whole.CopyFrom(self.model)
        if self.path:
            whole = onnx.load(self.path)
        for old, new in zip(whole.graph.input, self.model.graph.input):
            old.CopyFrom(new)
        for tensor in whole.graph.initializer:
            if not (tensor.raw_data or tensor.float_data or tensor.int64_data or tensor.int32_data):
                tensor.raw_data = numpy.zeros(tensor.dims, helper.tensor_dtype_to_np_dtype(tensor.data_type)).tobytes()
        names = list(dict.fromkeys(name for node in whole.graph.node for name in node.output if name))
        del whole.graph.output[:]
        whole.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(whole.SerializeToString(), options)
        types = {"tensor(float)": "float32", "tensor(int64)": "int64", "tensor(int32)": "int32", "tensor(bool)": "bool"}
        zeros = {i.name: numpy.zeros(self(i.name), types[i.type]) for i in session.get_inputs()}
        for name, value in zip(names, session.run(names, zeros)):
            self.dims[name] = list(value.shape)

    def __call__(self, name):
        dims = self.dims.get(name)
        if (dims is None or None in dims) and not self.ran:
            self.ran = True
            self.run()
            dims = self.dims.get(name)
        if dims is None or None in dims:
            raise ValueError(f"no shape of {name}: {dims}")
        return dims


def attrs_of(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def einsum(equation, shapes):
    left, _, right = equation.decode().replace(" ", "").partition("->")
    extents, kept = {}, set(right)
    for term, shape in zip(left.split(","), shapes):
        dots = len(shape) - len(term.replace("...", ""))
        names = list(term.split("...")[0]) if "..." in term else list(term)
        if "..." in term:
            names += [f".{i}" for i in range(dots, 0, -1)] + list(term.split("...")[1])
        for name, extent in zip(names, shape):
            extents[name] = max(extents.get(name, 1), extent)
    letters = left.replace(",", "").replace(".", "")
    if "->" not in equation.decode():
        kept = {c for c in letters if letters.count(c) == 1}
    contracted = any(name not in kept for name in extents if not name.startswith("."))
    return math.prod(extents.values()) if len(shapes) == 2 and contracted else 0


def product(a, b, out):
    """MACs of a matrix product: outputs times the depth."""
    return math.prod(out) * a[-1]


def attention(batch, heads, queries, keys, dk, dv):
    return [(".qk", batch * heads * queries * keys * dk), (".av", batch * heads * queries * keys * dv)]


def of_attention(node, shape, attrs):
    q, k, v = (shape(name) for name in node.input[:3])
    past = shape(node.input[4])[2] if len(node.input) > 4 and node.input[4] else 0
    if len(q) == 4:
        return attention(q[0], q[1], q[2], k[2] + past, q[3], v[3])
    heads, kv_heads = attrs["q_num_heads"], attrs["kv_num_heads"]
    return attention(q[0], heads, q[1], k[1] + past, q[2] // heads, v[2] // kv_heads)


def of_packed(node, shape, attrs):
    x, w = shape(node.input[0]), shape(node.input[1])
    at = 8 if node.op_type == "QAttention" else 4
    past = shape(node.input[at])[3] if len(node.input) > at and node.input[at] else 0
    widths = attrs.get("qkv_hidden_sizes") or [w[1] // 3] * 3
    heads = attrs["num_heads"]
    layers = [(".qkv", x[0] * x[1] * w[0] * w[1])]
    return layers + attention(x[0], heads, x[1], x[1] + past, widths[0] // heads, widths[2] // heads)


def of_multi_head(node, shape, attrs):
    q, heads = shape(node.input[0]), attrs["num_heads"]
    past = shape(node.input[6])[2] if len(node.input) > 6 and node.input[6] else 0
    if len(node.input) < 2 or not node.input[1]:
        return attention(q[0], heads, q[1], q[1] + past, q[4], q[4])
    k = shape(node.input[1])
    keys, dk = k[2 if len(k) == 4 else 1], q[2] // heads
    dv = dk
    if len(node.input) > 2 and node.input[2]:
        v = shape(node.input[2])
        dv = v[3] if len(v) == 4 else v[2] // heads
    return attention(q[0], heads, q[1], keys + past, dk, dv)


def of_group_query(node, shape, attrs):
    q, heads, kv_heads = shape(node.input[0]), attrs["num_heads"], attrs["kv_num_heads"]
    past = shape(node.input[3])[2] if len(node.input) > 3 and node.input[3] else 0
    packed = not node.input[1]
    size = q[2] // (heads + 2 * kv_heads if packed else heads)
    keys = q[1] if packed else shape(node.input[1])[1]
    return attention(q[0], heads, q[1], keys + past, size, size)


def of_recurrent(node, shape, attrs):
    x, w, r = (shape(name) for name in node.input[:3])
    rows = math.prod(x[:2])
    return [(".in", rows * math.prod(w)), (".rec", rows * math.prod(r))]


def count_node(node, shape):
    """(suffix, MACs) of the layers of a node; nothing if it has none."""
    op, domain, attrs = node.op_type, node.domain, attrs_of(node)
    if op in ("Conv", "ConvInteger", "FusedConv", "QLinearConv"):
        weight = shape(node.input[3 if op == "QLinearConv" else 1])
        return [("", math.prod(shape(node.output[0])) * math.prod(weight[1:]))]
    if op == "ConvTranspose":
        return [("", math.prod(shape(node.input[0])) * math.prod(shape(node.input[1])[1:]))]
    if op in ("Gemm", "FusedGemm", "QGemm"):
        a, b = shape(node.input[0]), shape(node.input[3 if op == "QGemm" else 1])
        return [("", math.prod(a) * b[0 if attrs.get("transB") else 1])]
    if op == "MatMulNBits":
        return [("", math.prod(shape(node.input[0])) * attrs["N"])]
    if op in ("MatMul", "MatMulInteger", "QLinearMatMul", "FusedMatMul", "MatMulIntegerToFloat", "DynamicQuantizeMatMul"):
        a, b = shape(node.input[0]), shape(node.input[3 if op == "QLinearMatMul" else 1])
        depth = a[-2] if attrs.get("transA") else a[-1]
        if op in ("MatMul", "MatMulInteger", "QLinearMatMul"):
            return [("", math.prod(shape(node.output[0])) * depth)]
        columns = b[-2] if attrs.get("transB") else b[-1]
        return [("", math.prod(a) * columns)]  # no batches of B alone
    if op == "Einsum":
        macs = einsum(attrs["equation"], [shape(name) for name in node.input])
        return [("", macs)] if macs else []
    if op == "DynamicQuantizeLSTM" or (op in ("LSTM", "GRU", "RNN") and not domain):
        return of_recurrent(node, shape, attrs)
    if op == "Attention" and domain in ("", "ai.onnx"):
        return of_attention(node, shape, attrs)
    if op in ("Attention", "QAttention"):
        return of_packed(node, shape, attrs)
    if op == "MultiHeadAttention":
        return of_multi_head(node, shape, attrs)
    if op == "GroupQueryAttention":
        return of_group_query(node, shape, attrs)
    return []


def count(model, sizes, path=None):
    """[(layer, MACs)] of a model, in the order of its nodes. Where shapes stay open, it is run."""
    set_sizes(model, sizes)
    shape = Shapes(model, path)
    layers, taken = [], set()
    for node in model.graph.node:
        name = node.name or next(o for o in node.output if o)
        for suffix, macs in count_node(node, shape):
            if not macs:
                continue
            own, copy = name + suffix, 2
            while own in taken:
                own, copy = f"{name}{suffix}~{copy}", copy + 1
            taken.add(own)
            layers.append((own, macs))
    return layers


def parse_sizes(text):
    return {k: int(v) for k, v in (item.rsplit("=", 1) for item in text.split(",") if item)}


def main():
    model = onnx.load(sys.argv[1], load_external_data=False)
    layers = count(model, parse_sizes(sys.argv[2] if len(sys.argv) > 2 else ""), sys.argv[1])
    writer = csv.writer(sys.stdout)
    writer.writerows(layers)
    writer.writerow(["total", sum(macs for _, macs in layers)])


if __name__ == "__main__":
    main()
