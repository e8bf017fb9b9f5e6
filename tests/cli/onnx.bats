#!/usr/bin/env bats
# ONNX models on the command line (docs/formats/onnx.md).
load common

MODELS=$SL_SOURCE_DIR/tests/data/onnx

# totals of `eval --json` in file $1
totals() {
    python3 -c '
import json, sys
document = json.load(open(sys.argv[1]))
macs = [layer["macs"] for layer in document["layers"]]
assert sum(macs) == document["totals"]["macs"], (sum(macs), document["totals"])
print(len(macs), document["totals"]["macs"], document["totals"]["latency_cycles"])' "$1"
}

@test "eval of a model has its MACs, and the cycles of the same network as bundled" {
    succeeds eval "$MODELS/light_resnet50.onnx" --json
    is_json starling.eval/1
    cp out model
    succeeds eval resnet50 --json
    [ "$(totals model)" = "$(totals out)" ] || complain "$(totals model)"
    [[ "$(totals model)" == "54 4089184256 "* ]] || complain "$(totals model)"
    succeeds eval "$MODELS/resnet50_dyn.onnx" --dim batch=1 --json
    [ "$(totals model)" = "$(totals out)" ] || complain "$(totals model)"
    succeeds eval "$MODELS/resnet50_dyn.onnx:batch=1"
    is_narrow
    says "4.09 G"
}

@test "map of a model keeps the names of its nodes, and its run reads back" {
    succeeds map "$MODELS/names.onnx" --accel simba --samples 5 --out run -q
    succeeds eval run --json
    grep -qF '"/model/layer.0/MatMul:0"' out || complain "no name"
    succeeds eval "run:/model/layer.0/MatMul:0"
    refuses 2 "with its own sizes, so not with --dim" eval run --dim batch=1
    succeeds map "$MODELS/names.onnx:/model/layer.0/MatMul:0" --samples 5 -q
    says "/model/layer.0/MatMul:0"
    succeeds map "$MODELS/names.onnx" --method exact --accel simba --out proven -q
    succeeds verify proven
}

@test "list networks shows the layers of a model" {
    succeeds list networks "$MODELS/bert_dyn.onnx" --dim batch=2,seq=100
    is_narrow
    says "gemm M=100 N=128 K=128 batch=2" "bmm"
}

@test "missing, unknown and repeated sizes are refused" {
    refuses 2 "expected a size for batch, seq: --dim batch=SIZE,..." eval "$MODELS/bert_dyn.onnx"
    refuses 2 "no open size is called 'words', expected batch, seq" \
        eval "$MODELS/bert_dyn.onnx" --dim batch=1,seq=2,words=3
    refuses 2 "the size of seq is given twice" eval "$MODELS/bert_dyn.onnx:seq=2" --dim batch=1,seq=2
    refuses 2 "the batch is given twice: batch=2 and 4" eval resnet18:batch=2 --batch 4
    refuses 2 "resnet18 has no open sizes, got 'batch=2'" map resnet18 --dim batch=2 --json
}

@test "what cannot be counted is named, and left out when asked" {
    refuses 2 "culprit (If): the operator is not supported (and 1 more node); --skip-unsupported" \
        eval "$MODELS/refused_if.onnx"
    refuses 2 "culprit (Secret): the operator of the domain 'com.example' is not supported" \
        map "$MODELS/refused_domain.onnx" --json
    succeeds eval "$MODELS/refused_if.onnx" --skip-unsupported
    says "LEFT OUT: 2 nodes whose MACs are not counted." "culprit (If)" "behind (MatMul)"
    succeeds map "$MODELS/refused_if.onnx" --skip-unsupported --samples 5 -q
    says "LEFT OUT: 2 nodes"
}

@test "60 malformed files get one sentence each" {
    size=$(stat -c %s "$MODELS/conv.onnx")
    for i in $(seq 1 40); do
        head -c $((size * i / 41)) "$MODELS/conv.onnx" >"cut$i.onnx"
    done
    for i in $(seq 1 15); do # text, and other formats
        sed -n "$((i * 3)),$((i * 3 + 9))p" "$SL_SOURCE_DIR/data/networks/resnet18.yaml" >"text$i.onnx"
    done
    printf '\x00\x00' >zero.onnx
    printf '\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01' >long.onnx
    printf '\x0b\x0b\x0b' >group.onnx
    printf '\x3a\x00' >bare.onnx
    : >empty.onnx
    set -- *.onnx
    [ $# -eq 60 ]
    for file in *.onnx; do
        refuses 2 "$file: expected a" eval "$file"
    done
}

@test "files that are no files are refused" {
    mkdir folder.onnx
    refuses 2 "folder.onnx: expected a regular file" eval folder.onnx
    refuses 2 "absent.onnx: cannot open" eval absent.onnx
    mkfifo pipe.onnx
    refuses 2 "pipe.onnx: expected a regular file" eval pipe.onnx
}

@test "a file of more than 2 GB is mapped, not read" {
    # the graph of one Gemm whose weight's data is 2.5 GB of hole
    python3 - <<'EOF'
def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])

def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body

hole = 2_500_000_000
node = field(1, b"x") + field(1, b"w") + field(2, b"y") + field(3, b"big") + field(4, b"MatMul")
dims = b"".join(b"\x08" + varint(n) for n in (25_000, 25_000))
weight = dims + b"\x10\x01" + field(8, b"w") + varint(9 << 3 | 2) + varint(hole)
shape = field(1, b"\x08\x02") + field(1, b"\x08" + varint(25_000))
x = field(1, b"x") + field(2, field(1, b"\x08\x01" + field(2, shape)))
graph = field(1, node) + field(11, x) + varint(5 << 3 | 2) + varint(len(weight) + hole) + weight
with open("big.onnx", "wb") as file:
    file.write(varint(7 << 3 | 2) + varint(len(graph) + hole) + graph)
    file.truncate(file.tell() + hole)
EOF
    succeeds list networks big.onnx
    says "big" "linear N=2 K=25000 C=25000"
}
