"""Model files, taken apart or with something in them changed."""

import json


def taken_apart(model):
    """Of the bytes of a model file: the outer header, the JSON header in it, and the tensors."""
    length = int.from_bytes(model[:8], "little")
    outer = json.loads(model[8 : 8 + length])
    return outer, json.loads(outer["__metadata__"]["spicymkl"]), model[8 + length :]


def with_header(model, change):
    """The bytes of a model file after `change` was made to its JSON header."""
    outer, header, tensors = taken_apart(model)
    change(header)
    outer["__metadata__"]["spicymkl"] = json.dumps(header)
    text = json.dumps(outer).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + tensors
