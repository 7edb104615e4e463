"""Bad input of every command: status 2, one sentence that names the place, no file left behind, an existing one untouched."""

import os
import resource
import subprocess

import numpy as np
import pytest

import problems
from conftest import COMMAND, Spicymkl, refusal

ROWS = "x1,x2,x3,y\n1,2,3,a\n4,5,6.5,b\n0,1,2,a\n-1,0,1,b\n"
LIBSVM = "a 1:1 2:2 3:3\nb 1:4 2:5 3:6.5\na 2:1 3:2\nb 1:-1 3:1\n"

# Commands that read a table. FILE is the table, OUT a file to write.
READERS = {
    "train": ["train", "FILE", "--target", "TARGET", "--model", "OUT", "--certificate", "c.json", "--report", "r.html"],
    "path": ["path", "FILE", "--target", "TARGET", "-o", "OUT", "--picture", "p.svg"],
    "cv": ["cv", "FILE", "--target", "TARGET", "--folds", 2, "--model", "OUT", "-o", "cv.csv"],
    "kernels": ["kernels", "FILE", "--target", "TARGET", "-o", "OUT"],
    "predict": ["predict", "m.safetensors", "FILE", "-o", "OUT"],
    "evaluate": ["evaluate", "m.safetensors", "FILE", "--target", "TARGET", "--report", "OUT"],
    "verify": ["verify", "m.safetensors", "FILE", "--target", "TARGET"],
}


def npy(shape, cells):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * (8 * cells)


# Name of the file, its content, words of the sentence.
FILES = {
    "empty": ("bad.csv", "", ["bad.csv", "empty"]),
    "header only": ("bad.csv", "x1,x2,x3,y\n", ["bad.csv", "line 1", "no rows"]),
    "ragged": ("bad.csv", ROWS + "1,2,a\n", ["bad.csv, line 6", "3 cells", "4"]),
    "missing cell": ("bad.csv", ROWS + "1,nan,3,a\n", ["bad.csv, line 6, column 'x2'", "missing"]),
    "infinite": ("bad.csv", ROWS + "1,inf,3,a\n", ["bad.csv, line 6, column 'x2'", "finite"]),
    "text for a number": ("bad.csv", ROWS + "1,2,oops,a\n", ["bad.csv, line 6, column 'x3'", "'oops'"]),
    "decimal comma": (
        "bad.csv",
        "x1;x2;x3;y\n1,5;2;3;a\n2;3;4;b\n",
        ["bad.csv, line 2, column 'x1'", "decimal comma", "'1.5'"],
    ),
    "unfinished quote": ("bad.csv", ROWS + '1,2,3,"a\n', ["bad.csv, line 6", "quote"]),
    "same name twice": ("bad.csv", ROWS.replace("x2", "x1"), ["bad.csv, line 1", "'x1'"]),
    "binary": ("bad.csv", b"\x00\x01\x02" * 99, ["bad.csv"]),
    "utf-16": ("bad.csv", ROWS.encode("utf-16"), ["bad.csv", "UTF-16"]),
    "damaged gzip": ("bad.csv.gz", b"\x1f\x8b\x08\x00" + b"x" * 50, ["bad.csv.gz"]),
    "too many cells announced": ("bad.npy", npy("(3, 999999999)", 30), ["bad.npy", "999999999", "truncated"]),
    "truncated npy": ("bad.npy", npy("(30, 4)", 60), ["bad.npy", "truncated"]),
    "npy without a header": ("bad.npy", "x" * 400, ["bad.npy"]),
    "damaged npz": ("bad.npz", b"PK\x03\x04" + b"x" * 100, ["bad.npz"]),
    "indices out of order": ("bad.libsvm", LIBSVM + "a 2:1 1:3\n", ["bad.libsvm, line 5", "1"]),
    "index 0": ("bad.libsvm", LIBSVM + "a 0:1\n", ["bad.libsvm, line 5"]),
    "no value": ("bad.libsvm", LIBSVM + "a 1:\n", ["bad.libsvm, line 5"]),
    "huge index": ("bad.libsvm", LIBSVM + "a 999999999999:1\n", ["bad.libsvm"]),
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with a model, and files that must stay as they are."""
    spicymkl = Spicymkl(tmp_path_factory.mktemp("bad"))
    spicymkl.write("good.csv", ROWS)
    spicymkl.ok("train", "good.csv", "--target", "y", "--model", "m.safetensors")
    return spicymkl


def arguments(command, file, out="out", target="y"):
    places = {"FILE": file, "OUT": out, "TARGET": target}
    return [places.get(word, word) for word in READERS[command]]


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("fault", FILES)
def test_bad_files(trained, command, fault):
    name, content, words = FILES[fault]
    (trained.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    trained.write("out", "precious")
    target = "0" if name.endswith(("npy", "npz", "libsvm")) else "y"
    line = arguments(command, name, target=target)
    if fault == "huge index" and command in ("predict", "evaluate", "verify"):
        return  # a feature that the model does not have is passed over
    trained.refuse(line, *words)


@pytest.mark.parametrize("command", READERS)
def test_bad_places_of_input(trained, command):
    trained.refuse(arguments(command, "absent.csv"), "absent.csv")
    (trained.folder / "folder.csv").mkdir(exist_ok=True)
    trained.refuse(arguments(command, "folder.csv"), "folder.csv", "directory")
    trained.write("table.xyz", ROWS)
    trained.refuse(arguments(command, "table.xyz"), "table.xyz", "format")


@pytest.mark.parametrize("command", [name for name in READERS if name != "predict"])
def test_unknown_targets(trained, command):
    trained.refuse(arguments(command, "good.csv", target="absent"), "good.csv", "'absent'", "'x1', 'x2'")
    trained.refuse(arguments(command, "good.csv", target="9"), "good.csv", "'9'", "0 to 3")


@pytest.mark.parametrize("command", ["train", "path", "cv"])
def test_what_cannot_be_learned(trained, command):
    trained.write("bad.csv", "x1,y\n1,a\n2,a\n3,a\n")
    trained.refuse(arguments(command, "bad.csv"), "bad.csv", "'y'", "one class")
    trained.write("bad.csv", "x1,y\n1,a\n")
    trained.refuse(arguments(command, "bad.csv"), "bad.csv", "2 samples")
    trained.write("bad.csv", "x1,y\n1,a\n2,\n3,b\n")
    trained.refuse(arguments(command, "bad.csv"), "bad.csv, line 3, column 'y'", "missing")
    trained.refuse([*arguments(command, "good.csv"), "--threads", "-1"], "threads")
    trained.refuse([command], "DATA", "--gram")


def test_a_header_that_is_none_and_one_that_is(trained):
    trained.write("texts.csv", "red,small,a\nblue,large,b\nred,large,a\n")
    trained.refuse(arguments("train", "texts.csv"), "texts.csv", "'red'", "--header no")
    trained.refuse(
        [*arguments("train", "good.csv", target="3"), "--header", "no"], "good.csv, line 1", "'x1'", "--header yes"
    )


def test_semicolons_and_tabs_are_read(trained):
    expected = trained.ok("kernels", "good.csv", "--target", "y", "--list")
    for separator in ";\t":
        trained.write("other.csv", ROWS.replace(",", separator))
        assert trained.ok("kernels", "other.csv", "--target", "y", "--list") == expected


def test_values_that_a_kernel_cannot_take_are_named_by_their_line(trained):
    trained.write("zeros.csv", "x1,x2,y\n\n1,2,a\n3,1,b\n\n0,0,a\n")
    unit = trained.kernel_list([{"type": "linear", "normalize": "diagonal"}])
    line = ["train", "zeros.csv", "--target", "y", "--kernels", unit, "--no-standardize", "--model", "out"]
    trained.refuse(line, "zeros.csv", "line 6", "linear")
    chi = trained.kernel_list([{"type": "chi_squared"}])
    trained.write("negative.csv", "x1,x2,y\n1,2,a\n3,-1,b\n")
    line = ["train", "negative.csv", "--target", "y", "--kernels", chi, "--no-standardize", "--model", "out"]
    trained.refuse(line, "negative.csv", "line 3", "column 'x2'", "-1")


@pytest.mark.parametrize("command", ["inspect", "predict", "evaluate", "verify"])
def test_bad_models(trained, command):
    rest = [] if command == "inspect" else ["good.csv"]
    (trained.folder / "noise.safetensors").write_bytes(b"noise" * 50)
    (trained.folder / "none.safetensors").write_bytes(b"")
    (trained.folder / "folder.csv").mkdir(exist_ok=True)
    for name in ("absent.safetensors", "noise.safetensors", "none.safetensors", "folder.csv", "good.csv"):
        trained.refuse([command, name, *rest], name)


WRITERS = {
    "train": [*arguments("train", "good.csv", "OUT")[:6]],
    "certificate": ["train", "good.csv", "--target", "y", "--certificate", "OUT"],
    "history": ["train", "good.csv", "--target", "y", "--history", "OUT"],
    "report": ["train", "good.csv", "--target", "y", "--report", "OUT"],
    "path": ["path", "good.csv", "--target", "y", "-o", "OUT"],
    "picture": ["path", "good.csv", "--target", "y", "--picture", "OUT"],
    "cv": ["cv", "good.csv", "--target", "y", "--folds", 2, "--n-alphas", 3, "-o", "OUT"],
    "kernels": ["kernels", "good.csv", "--target", "y", "-o", "OUT"],
    "predict": ["predict", "m.safetensors", "good.csv", "-o", "OUT"],
    "evaluate": ["evaluate", "m.safetensors", "good.csv", "--report", "OUT"],
    "generate": ["generate", "ringnorm", "-n", 50, "-o", "OUT"],
}


def writing(writer, place):
    return [place if word == "OUT" else word for word in WRITERS[writer]]


@pytest.mark.parametrize("writer", WRITERS)
def test_unwritable_output(trained, writer):
    trained.refuse(writing(writer, "absent/file"), "absent/file")
    (trained.folder / "place").mkdir(exist_ok=True)
    trained.refuse(writing(writer, "place"), "place", "directory")
    trained.refuse(writing(writer, "/dev/full"), "/dev/full", "not a plain file")
    trained.refuse(writing(writer, "good.csv/file"), "good.csv/file")
    if os.geteuid() != 0:  # root may write anywhere
        (trained.folder / "locked").mkdir(mode=0o555, exist_ok=True)
        trained.refuse(writing(writer, "locked/file"), "locked/file")


@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_that_may_not_grow(trained, writer):
    """As on a full disk, but possible for everyone: no file may have more than 16 bytes."""
    trained.write("out", "precious")
    before = trained.contents()
    line = [COMMAND, *map(str, writing(writer, "out"))]
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
    done = subprocess.run(line, cwd=trained.folder, capture_output=True, text=True, preexec_fn=limit, check=False)
    assert done.returncode == 2, done.stderr
    assert "out" in refusal(done.stderr) and "large" in refusal(done.stderr)
    assert trained.contents() == before


@pytest.fixture(scope="module")
def full_disk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk can only be mounted by root")
    (folder / "kept").write_bytes(b"precious")
    with open(folder / "filler", "wb") as filler:
        filler.write(b"x" * 4096)
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk(trained, full_disk, writer):
    with open(full_disk / "filler", "ab", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 256)
        except OSError:
            pass
    before = sorted(os.listdir(full_disk))
    done = trained.run(*writing(writer, full_disk / "kept"))
    assert done.returncode == 2, done.stderr
    sentence = refusal(done.stderr)
    assert "kept" in sentence and ("space" in sentence or "disk" in sentence)
    assert sorted(os.listdir(full_disk)) == before and (full_disk / "kept").read_bytes() == b"precious"


def test_links_are_followed(trained):
    trained.write("behind.csv", "old")
    link = trained.folder / "link.csv"
    link.unlink(missing_ok=True)
    link.symlink_to("behind.csv")
    trained.ok("generate", "ringnorm", "-n", 20, "-o", "link.csv")
    assert link.is_symlink() and len((trained.folder / "behind.csv").read_text()) > 100


def test_names_that_are_not_utf8(trained):
    X, y = problems.classification(n=20)
    name = os.fsdecode(b"K\xff.npy")
    np.save(trained.folder / name, problems.kernels(X)[0])
    np.save(trained.folder / "y.npy", y)
    line = [COMMAND, "train", "--gram", name, "--labels", "y.npy", "--model", "out2"]
    done = subprocess.run(line, cwd=trained.folder, capture_output=True, check=False)
    assert done.returncode == 2 and b"UTF-8" in done.stderr
    assert not (trained.folder / "out2").exists()
