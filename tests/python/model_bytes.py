"""Model files with something in them changed."""

import json


def with_header(model, change):
    """The bytes of a model file after `change` was made to its JSON header."""
    length = int.from_bytes(model[:8], "little")
    outer = json.loads(model[8 : 8 + length])
    header = json.loads(outer["__metadata__"]["spicymkl"])
    change(header)
    outer["__metadata__"]["spicymkl"] = json.dumps(header)
    text = json.dumps(outer).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + model[8 + length :]
