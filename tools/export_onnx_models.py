#!/usr/bin/env python3
"""Export networks of torchvision and transformers as ONNX, for tools/make_onnx_models.py.

    tools/export_onnx_models.py EXPORTS

Made with torch 2.15.0, torchvision 0.29.2, transformers 5.23.0, onnxscript 0.7.2, onnxruntime 1.31.1 and onnx 1.23.2
of PyPI. NAME_ts comes from the TorchScript exporter, NAME_dyn from the dynamo one; weights are random.
"""

import os
import sys

import numpy
import torch
import torchvision
import transformers
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_dynamic, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torchvision.models.swin_transformer import SwinTransformer

Dim = torch.export.Dim
BATCH = {"image": {0: "batch"}}
WORDS = {"ids": {0: "batch", 1: "seq"}}


class FirstOutput(torch.nn.Module):
    """A transformer as a function of word numbers alone."""

    def __init__(self, model, **settings):
        super().__init__()
        self.model, self.settings = model, settings

    def forward(self, ids):
        return self.model(input_ids=ids, return_dict=False, **self.settings)[0]


def save_ts(folder, name, model, example, inputs, axes=None, opset=18):
    torch.onnx.export(model.eval(), (example,), os.path.join(folder, name + "_ts.onnx"), dynamo=False,
                      input_names=inputs, output_names=["out"] if axes else None, dynamic_axes=axes,
                      opset_version=opset)


def save_dynamo(folder, name, model, example, inputs, shapes=None):
    torch.onnx.export(model.eval(), (example,), os.path.join(folder, name + "_dyn.onnx"), dynamo=True,
                      external_data=True, input_names=inputs, dynamic_shapes=shapes)


def pictures(folder):
    models, picture = torchvision.models, torch.zeros(1, 3, 224, 224)
    scripted = {"alexnet": models.alexnet, "vgg16": models.vgg16, "resnet18": models.resnet18,
                "mobilenet_v3": models.mobilenet_v3_small, "densenet121": models.densenet121,
                "vit_b16": models.vit_b_16}
    traced = {"resnet50": models.resnet50, "mobilenet_v2": models.mobilenet_v2,
              "efficientnet_b0": models.efficientnet_b0, "vit_b16": models.vit_b_16}
    for name, make in scripted.items():
        save_ts(folder, name, make(weights=None), picture, ["image"], BATCH)
    for name, make in traced.items():
        save_dynamo(folder, name, make(weights=None), picture, ["image"], ({0: Dim("batch")},))
    for name, make in {"convnext_tiny": models.convnext_tiny, "swin_t": models.swin_t}.items():
        save_dynamo(folder, name, make(weights=None), picture, ["image"])
    swin = SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2, 1, 1], num_heads=[1, 2, 4, 8],
                           window_size=[7, 7])
    save_ts(folder, "swin_small", swin, picture, ["image"], BATCH)


def texts(folder):
    ids = torch.zeros(1, 128, dtype=torch.long)
    shapes = ({0: Dim("batch"), 1: Dim("seq")},)
    size = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256}
    eager = {"vocab_size": 1000, "attn_implementation": "eager"}
    bert = FirstOutput(transformers.BertModel(transformers.BertConfig(**size, **eager)))
    gpt2 = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_embd=128, n_layer=2, n_head=4, **eager))
    llama = transformers.LlamaForCausalLM(transformers.LlamaConfig(num_key_value_heads=2, **size, **eager))
    save_ts(folder, "bert", bert, ids, ["ids"], WORDS, 17)
    save_dynamo(folder, "bert", bert, ids, ["ids"], shapes)
    save_dynamo(folder, "gpt2", FirstOutput(gpt2, use_cache=False), ids, ["ids"], shapes)
    save_dynamo(folder, "llama", FirstOutput(llama, use_cache=False), ids, ["ids"], shapes)


def sequences(folder):
    save_ts(folder, "lstm", torch.nn.LSTM(32, 64, 2, bidirectional=True), torch.zeros(10, 2, 32), ["x"])
    save_ts(folder, "gru", torch.nn.GRU(32, 64, 1, batch_first=True), torch.zeros(2, 10, 32), ["x"])


class Noise(CalibrationDataReader):
    def __init__(self):
        self.left = [{"image": numpy.random.rand(1, 3, 64, 64).astype("float32")} for _ in range(2)]

    def get_next(self):
        return self.left.pop() if self.left else None


def quantised(folder):
    small = os.path.join(folder, "mobilenet_v2_64")
    save_ts(folder, "mobilenet_v2_64", torchvision.models.mobilenet_v2(weights=None), torch.zeros(1, 3, 64, 64),
            ["image"])
    ready = os.path.join(folder, "ready.onnx")
    quant_pre_process(small + "_ts.onnx", ready)
    for name, form in {"qdq": QuantFormat.QDQ, "qop": QuantFormat.QOperator}.items():
        quantize_static(ready, os.path.join(folder, f"mobilenet_v2_{name}.onnx"), Noise(), quant_format=form,
                        per_channel=name == "qdq")
    quantize_dynamic(os.path.join(folder, "bert_ts.onnx"), os.path.join(folder, "bert_int8.onnx"))


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(0)
    for make in (pictures, texts, sequences, quantised):
        make(folder)


if __name__ == "__main__":
    main()
