"""Comments, documents and messages read like an engineer's English: "per kernel", not "a kernel"; repaired, not mended."""

import json
import re

import numpy as np
import pytest

import problems
from conftest import ROOT
from model_bytes import with_header

FOLDERS = ["src", "include", "docs", "examples", "tools", "bench", "python", "r"]
FILES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
COUNTED = (
    "kernel|row|sample|class|fold|fit|point|column|run|threshold|training row|data set|set|workload|alpha|base|"
    "outer iteration|round|panel|step|loss|penalty|line|source"
)
ODD = {
    rf"\b(?:[Oo]ne|once|twice|object|splits|seconds|widths|kernels|row|history|rule) an? (?:{COUNTED})\b(?! may)": "per",
    r"\b(?:mend|mends|mended|mending)\b": "repair",
    r"\b(?:unless|as) told\b|\btold of\b": "given, described, stated",
    r"\b(?:series|work|run|training) goes on\b": "resumes, continues",
    r"\b\d+ at least\b": "at least …",
    r"\b(?:[Nn]umbers or|[Cc]olumns of|[Dd]ifferent|[Hh]olds|or as|other) texts\b|\btexts and\b": "strings",
    r"\b(?:is|are|once|not) told\b|\btold (?:once|at once|before|as|by)\b": "reported",
    r"\bgo(?:es)? on (?:from|for|where|with)\b": "resumes, continues",
}


def documents():
    yield from (ROOT / name for name in FILES)
    kinds = ("*.cpp", "*.hpp", "*.js", "*.html", "*.py", "*.sh", "*.md", "*.rst", "*.R", "*.Rd", "*.Rmd")
    for folder in FOLDERS:
        for kind in kinds:
            for path in sorted((ROOT / folder).rglob(kind)):
                generated = path.is_relative_to(ROOT / "docs/examples") or path.is_relative_to(ROOT / "docs/generated")
                if not generated:
                    yield path


@pytest.mark.parametrize("odd", ODD)
def test_no_odd_english(odd):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in documents()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(odd, line)
    ]
    assert not found, f"say '{ODD[odd]}' in\n" + "\n".join(found)


@pytest.fixture
def table(spicymkl):
    X, y = problems.regression(n=30)
    return spicymkl.table("t.csv", X, y)


def test_messages_of_grids(spicymkl, table):
    spicymkl.refuse(["cv", table, "--target", "y", "--folds", "1"], "cross-validation needs at least 2")
    spicymkl.refuse(["path", table, "--target", "y", "--n-alphas", "0"], "at least 1 is needed")
    spicymkl.refuse(["path", table, "--target", "y", "--alpha-ratio", "2"], "must be a fraction of alpha_max")


def test_message_of_a_lonely_class(spicymkl):
    X, _ = problems.classification(n=20)
    lonely = spicymkl.table("l.csv", X, np.array(["a", "b"] * 9 + ["a", "c"]))
    spicymkl.refuse(["cv", lonely, "--target", "y", "--folds", "2"], "at least 2 of each class")


def test_message_of_a_value_out_of_range(spicymkl, table):
    spicymkl.ok("train", table, "--target", "y", "--model", "m.safetensors", "--quiet")
    header, row, *_ = (spicymkl.folder / "t.csv").read_text().splitlines()
    (spicymkl.folder / "far.csv").write_text(f"{header}\n1e200,{row.split(',', 1)[1]}\n")
    spicymkl.refuse(["predict", "m.safetensors", "far.csv"], "is far out of range", "on the scale of the training rows")


def test_caption_of_predictions(spicymkl, table):
    spicymkl.ok("train", table, "--target", "y", "--test", table, "--report", "r.html", "--quiet")
    assert "One point per row." in (spicymkl.folder / "r.html").read_text()


def changed_model(path, change):
    path.write_bytes(with_header(path.read_bytes(), change))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda header: header.update(classes=["a", "b", "c"]), "it does not have one output per class"),
        (lambda header: header.update(n_samples=31), "the length of a dual vector is not the number of samples"),
    ],
)
def test_messages_of_damaged_models(spicymkl, table, change, words):
    spicymkl.ok("train", table, "--target", "y", "--model", "m.safetensors", "--quiet")
    changed_model(spicymkl.folder / "m.safetensors", change)
    spicymkl.refuse(["inspect", "m.safetensors"], words)


def test_help_names_what_is_counted(spicymkl):
    text = " ".join(spicymkl.ok("cv", "--help").split())
    assert "number of parts that the rows are cut into" in text
    options = json.loads(spicymkl.ok("options"))
    helps = {option["name"]: option["help"] for option in options["path"]}
    assert helps["n_alphas"].startswith("number of alphas")
    assert {option["type"] for option in options["cv"]} <= {"flag", "integer", "number", "string", "numbers", "strings"}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("train", "N labels, numbers or strings: .npy"),
        ("train", "write one CSV row per outer iteration"),
        ("train", "refuse, or repair by clip, flip or shift"),
        ("train", "columns of strings: a b, or a,b"),
        ("train", "resume from the checkpoint, if there is one"),
        ("train", "loss (auto: logistic or squared, by the target): logistic, hinge"),
        ("train", "penalty (block1 selects few kernels): block1, elasticnet"),
        ("train", "how missing cells are filled in: median, mean"),
        ("path", "one row per alpha"),
        ("cv", "measure (auto: log_loss or accuracy for classes, rmse for numbers): accuracy"),
    ],
)
def test_words_of_help(spicymkl, command, words):
    assert words in " ".join(spicymkl.ok(command, "--help-all").split())


def test_words_of_bench(spicymkl):
    assert "sample sizes, one per workload" in spicymkl.ok("bench", "--help")
    spicymkl.refuse(["bench", "--samples", "9", "--kernels", "0"], "a workload needs at least 1")
    spicymkl.refuse(["bench", "--path", "0"], "a path has at least 1 alpha")


def test_messages_of_strings_and_resuming(spicymkl, table):
    spicymkl.write("words.csv", "a,y\nred,1\nblue,2\nred,3\nblue,1\n")
    spicymkl.refuse(["train", "words.csv", "--target", "y"], "2 different strings: --categorical a, or --drop a")
    spicymkl.refuse(
        ["train", table, "--target", "y", "--resume"], "--resume needs --checkpoint: the file to resume from"
    )
    spicymkl.write("named", "a,y\n1,2\n2,1\n")
    spicymkl.refuse(["train", "named", "--target", "y"], "its name does not show its format")
    spicymkl.write("k.json", '[{"type": "linear", "name": 3}]')
    spicymkl.refuse(["train", table, "--target", "y", "--kernels", "k.json"], "name is 3, but it must be a string")
