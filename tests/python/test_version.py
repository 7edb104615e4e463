"""The version stands in CMakeLists.txt alone; everything else takes it from there."""

import re
import subprocess

import spicymkl as package
from conftest import ROOT

VERSION = re.search(r"project\(SpicyMKL VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_command_and_package_have_it(spicymkl):
    assert VERSION in spicymkl.ok("--version").split()
    assert package.__version__ == VERSION


def test_the_octave_package_has_it(tmp_path):
    script = ROOT / "octave" / "package.cmake"
    subprocess.run(["cmake", "-DVERSION=1.2.3", f"-DOUTPUT={tmp_path}", "-P", script], check=True, capture_output=True)
    (tarball,) = tmp_path.iterdir()
    assert tarball.name == "spicymkl-octave-1.2.3.tar.gz"
    listed = ["tar", "-xzOf", tarball, "spicymkl-octave-1.2.3/DESCRIPTION"]
    described = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
    assert "Version: 1.2.3\n" in described
    assert "@" not in described.replace("@example.org", "")


def test_the_recipe_of_conda_reads_it():
    recipe = (ROOT / "conda" / "meta.yaml").read_text()
    pattern = re.search(r'regex_pattern="(.*?)"', recipe)[1].replace("\\\\", "\\")
    assert re.search(pattern, (ROOT / "CMakeLists.txt").read_text())[1] == VERSION


def test_no_file_repeats_it():
    """But the history of changes, and figures that say what they were measured with."""
    kinds = (
        "*.toml",
        "*.txt",
        "*.cmake",
        "*.in",
        "*.yaml",
        "*.sh",
        "*.cff",
        "*.py",
        "*.m",
        "*.md",
        "*.rst",
        "*.hpp",
        "*.cpp",
    )
    folders = ("cmake", "conda", "docs", "include", "octave", "python", "src", "tools")
    files = [path for folder in folders for kind in kinds for path in (ROOT / folder).rglob(kind)]
    files += [path for kind in kinds for path in ROOT.glob(kind)]
    measured = ROOT / "docs" / "performance"
    apart = {ROOT / "CMakeLists.txt", ROOT / "CHANGELOG.md"}
    number = re.compile(rf"(?<![0-9.]){re.escape(VERSION)}(?![0-9]|\.[0-9])")
    found = [
        path
        for path in files
        if path not in apart and not path.is_relative_to(measured) and number.search(path.read_text(errors="replace"))
    ]
    assert found == []
