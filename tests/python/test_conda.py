"""The recipe for conda asks for what CMake and pyproject.toml ask for. It is not built here: there is no conda."""

import re

import pytest

from conftest import ROOT

tomllib = pytest.importorskip("tomllib")
jinja2 = pytest.importorskip("jinja2")
yaml = pytest.importorskip("yaml")

CMAKE = (ROOT / "CMakeLists.txt").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# What CMake looks for, as conda-forge calls it. OpenMP comes with the compiler.
PACKAGES = {
    "Eigen3": "eigen",
    "fmt": "fmt",
    "nlohmann_json": "nlohmann_json",
    "OpenBLASOpenMP": "openblas",
    "FastFloat": "fast_float",
    "ZLIB": "zlib",
    "CLI11": "cli11",
}


def load_file_regex(load_file, from_recipe_dir, regex_pattern):
    assert from_recipe_dir
    return re.search(regex_pattern, (ROOT / "conda" / load_file).read_text())


@pytest.fixture(scope="module")
def recipe():
    """The recipe as conda-build renders it."""
    text = re.sub(r"#.*", "", (ROOT / "conda" / "meta.yaml").read_text())
    rendered = jinja2.Template(text).render(
        load_file_regex=load_file_regex, compiler=lambda language: f"{language} compiler"
    )
    return yaml.safe_load(rendered)


def names(requirements):
    return {requirement.split()[0] for requirement in requirements}


def test_version_and_files(recipe):
    assert recipe["package"]["version"] == re.search(r"project\(SpicyMKL VERSION ([0-9.]+)", CMAKE).group(1)
    assert (ROOT / recipe["about"]["license_file"]).exists()


def test_what_cmake_looks_for_is_there(recipe):
    wanted = set(re.findall(r"^find_package\((\w+)", CMAKE, re.MULTILINE)) - {"OpenMP"}
    assert wanted == set(PACKAGES)
    assert set(PACKAGES.values()) <= names(recipe["requirements"]["host"])
    least = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", CMAKE).group(1)
    assert f"cmake >={least}" in recipe["requirements"]["build"]


def test_what_python_asks_for_is_there(recipe):
    host, run = recipe["requirements"]["host"], recipe["requirements"]["run"]
    assert {requirement.replace(" ", "") for requirement in host} >= set(PROJECT["build-system"]["requires"])
    wanted = {*PROJECT["project"]["dependencies"], "python" + PROJECT["project"]["requires-python"]}
    assert {requirement.replace(" ", "") for requirement in run} == wanted


def test_settings_of_the_build_are_known_to_cmake():
    script = (ROOT / "conda" / "build.sh").read_text()
    known = CMAKE + "".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
    settings = re.findall(r"-D(\w+)=", script)
    assert len(settings) >= 4
    assert [name for name in settings if name not in known] == []
