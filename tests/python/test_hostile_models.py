"""Model files that were tampered with are refused, whatever was done to them, and old ones still load."""

import json
import struct

import numpy as np
import pytest

import problems


def parts(model):
    length = int.from_bytes(model[:8], "little")
    return json.loads(model[8 : 8 + length]), bytearray(model[8 + length :])


def joined(header, data):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + bytes(data)


@pytest.fixture
def trained(spicymkl):
    X, y = problems.classification(n=40)
    spicymkl.table("d.csv", X, y)
    spicymkl.table("new.csv", X[:5])
    spicymkl.ok("train", "d.csv", "--target", "y", "--model", "m.safetensors", "--quiet")
    return (spicymkl.folder / "m.safetensors").read_bytes()


def refused(spicymkl, content, *words):
    (spicymkl.folder / "bad.safetensors").write_bytes(content)
    for command in (["inspect", "bad.safetensors"], ["predict", "bad.safetensors", "new.csv"]):
        spicymkl.refuse(command, "bad.safetensors", *words)
    spicymkl.refuse(["verify", "bad.safetensors", "d.csv"], "bad.safetensors", *words)


@pytest.mark.parametrize(
    "shape",
    [
        lambda rows, columns: [rows, columns, 0],
        lambda rows, columns: [rows, columns, 1],
        lambda rows, columns: [rows, columns, 2**61 + 1],  # times 8 it wraps around to the right number
        lambda rows, columns: [2**32, 2**32, rows * columns],
        lambda rows, columns: [-rows, -columns],
        lambda rows, columns: [rows * columns],
        lambda rows, columns: [],
        lambda rows, columns: [float(rows), columns],
        lambda rows, columns: [1e300, 0],
        lambda rows, columns: [1] * 5000 + [rows, columns],
        lambda rows, columns: "text",
        lambda rows, columns: None,
    ],
)
def test_shapes(spicymkl, trained, shape):
    header, data = parts(trained)
    rows, columns = header["rows"]["shape"]
    header["rows"]["shape"] = shape(rows, columns)
    if header["rows"]["shape"] == [rows, columns, 0]:
        header["rows"]["data_offsets"][1] = header["rows"]["data_offsets"][0]
    refused(spicymkl, joined(header, data))


@pytest.mark.parametrize("offsets", [[0, 2**64 - 8], [8, 0], [-8, 0], [0.5, 8], [2**63, 2**63 + 8], [0], "text"])
def test_offsets(spicymkl, trained, offsets):
    header, data = parts(trained)
    header["dual"]["data_offsets"] = offsets
    refused(spicymkl, joined(header, data))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(spicymkl, trained, value):
    header, data = parts(trained)
    for name, entry in header.items():
        if name == "__metadata__" or entry["data_offsets"][0] == entry["data_offsets"][1]:
            continue
        changed = bytearray(data)
        begin = entry["data_offsets"][0]
        changed[begin : begin + 8] = struct.pack("<d", value)
        refused(spicymkl, joined(header, changed), "damaged", name)


def test_one_bit(spicymkl, trained):
    header, data = parts(trained)
    for position in (0, len(data) // 2, len(data) - 1):
        changed = bytearray(data)
        changed[position] ^= 1
        refused(spicymkl, joined(header, changed), "damaged", "numbers have changed")


def without_checksum(header):
    inner = json.loads(header["__metadata__"]["spicymkl"])
    del inner["checksum"]
    header["__metadata__"]["spicymkl"] = json.dumps(inner)


def test_a_scale_of_zero(spicymkl, trained):
    header, data = parts(trained)
    without_checksum(header)
    begin = header["standardize_scale"]["data_offsets"][0]
    data[begin : begin + 8] = struct.pack("<d", 0.0)
    refused(spicymkl, joined(header, data), "scale")


def test_a_model_of_version_0_1_has_no_checksum_and_loads(spicymkl, trained):
    header, data = parts(trained)
    without_checksum(header)
    (spicymkl.folder / "old.safetensors").write_bytes(joined(header, data))
    assert spicymkl.ok("predict", "old.safetensors", "new.csv") == spicymkl.ok("predict", "m.safetensors", "new.csv")
    spicymkl.ok("verify", "old.safetensors", "d.csv")


def test_keys_that_occur_twice(spicymkl, trained):
    header, data = parts(trained)
    text = json.dumps(header)
    text = text[:-1] + ', "dual": ' + json.dumps(header["dual"]) + "}"
    text = text.encode() + b" " * (-len(text.encode()) % 8)
    refused(spicymkl, len(text).to_bytes(8, "little") + text + bytes(data), "twice")
