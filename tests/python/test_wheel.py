"""A wheel installs in a fresh environment without a compiler, and works."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SPICYMKL_BUILD", ROOT / "build"))


def online():
    try:
        urllib.request.urlopen("https://pypi.org/simple/numpy/", timeout=10).close()
    except OSError:
        return False
    return True


def install_prefix():
    lines = (BUILD / "CMakeCache.txt").read_text().splitlines()
    return next(line.partition("=")[2] for line in lines if line.startswith("CMAKE_INSTALL_PREFIX:"))


@pytest.mark.skipif(not importlib.util.find_spec("scikit_build_core"), reason="scikit-build-core is not installed")
def test_wheel(tmp_path):
    if not online():
        pytest.skip("PyPI, from which a fresh environment gets NumPy and scikit-learn, cannot be reached")
    # The build folder of ./dev has the library compiled already; where it installs to is set back afterwards.
    build = [f"--config-settings=build-dir={BUILD}"] if (BUILD / "CMakeCache.txt").exists() else []
    prefix = install_prefix() if build else ""
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            *build,
            "-w",
            tmp_path,
            ROOT,
        ],
        check=True,
    )
    if build:
        subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}", BUILD], stdout=subprocess.DEVNULL, check=True)
    (wheel,) = tmp_path.glob("spicymkl-*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "fresh"], check=True)
    python = tmp_path / "fresh" / "bin" / "python"
    # No compiler; but how PyPI is reached from here.
    reach = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "REQUESTS_"))}
    nothing = {"PATH": str(python.parent), "HOME": str(tmp_path), "MPLBACKEND": "Agg", **reach}
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[examples]"]
    subprocess.run(install, env=nothing, cwd=tmp_path, check=True)
    done = subprocess.run(
        [python, ROOT / "examples" / "plot_first_model.py"],
        env=nothing,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "accuracy on new rows: 0.9" in done.stdout
    code = (
        "import pathlib, spicymkl; assert pathlib.Path(spicymkl.__file__).with_name('py.typed').exists(); "
        "assert pathlib.Path(spicymkl.__file__).with_name('_core.pyi').exists()"
    )
    subprocess.run([python, "-c", code], env=nothing, cwd=tmp_path, check=True)
