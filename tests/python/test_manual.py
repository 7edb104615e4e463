"""The manual page and the completions know every command and option, and their programs take them without a complaint."""

import re
import shutil
import subprocess

import pytest


def commands(spicymkl):
    listed = spicymkl.ok("--help").split("Subcommands:")[1]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


def options(spicymkl, command):
    every = "--help-all" if "--help-all" in spicymkl.ok(command, "--help") else "--help"
    return re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", spicymkl.ok(command, every), re.MULTILINE)


def sections(spicymkl):
    """The part of the manual page about each command, as plain text."""
    page = spicymkl.ok("man").replace("\\-", "-")
    parts = re.split(r"^\.SS spicymkl (\w+)\n", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def test_the_manual_page_has_every_command_and_option(spicymkl):
    pages = sections(spicymkl)
    assert list(pages) == commands(spicymkl)
    for command, page in pages.items():
        for option in options(spicymkl, command):
            assert f"\\fB{option}\\fP" in page, (command, option)
        assert "Example:" in page, command


def need(program):
    if not shutil.which(program):
        pytest.fail(f"{program} is missing: ./dev test installs it")


def test_the_manual_page_is_good_roff(spicymkl):
    need("groff")
    spicymkl.write("spicymkl.1", spicymkl.ok("man"))
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-K", "utf8", "-ww", "spicymkl.1"],
        cwd=spicymkl.folder,
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    shown = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout.decode())
    assert "EXIT STATUS" in shown and "spicymkl train data.csv --target y" in shown


def complete_in_bash(spicymkl, *words):
    script = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _spicymkl; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    spicymkl.write("completion", spicymkl.ok("completion", "bash"))
    line = ["bash", "-c", script, "bash", "completion", *words]
    done = subprocess.run(line, cwd=spicymkl.folder, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_bash_completion(spicymkl):
    assert complete_in_bash(spicymkl, "spicymkl", "") == commands(spicymkl)
    assert complete_in_bash(spicymkl, "spicymkl", "ver") == ["verify"]
    for command in commands(spicymkl):
        offered = complete_in_bash(spicymkl, "spicymkl", command, "--")
        assert set(offered) >= set(options(spicymkl, command)), command
    assert complete_in_bash(spicymkl, "spicymkl", "train", "d.csv", "--penalty", "bl") == ["block1", "blockq"]
    assert "ringnorm" in complete_in_bash(spicymkl, "spicymkl", "generate", "r")
    assert complete_in_bash(spicymkl, "spicymkl", "train", "dat") == []  # files, which bash itself adds


def test_zsh_completion(spicymkl):
    need("zsh")
    script = spicymkl.ok("completion", "zsh")
    spicymkl.write("_spicymkl", script)
    # What _arguments is given for each command, with a stub in its place.
    stub = '_arguments() { print -rl -- "$@" }; _describe() { print -rl -- $commands }; _files() {}\n'
    for command in commands(spicymkl):
        body = script.replace('_spicymkl "$@"', "").replace(
            "_arguments -C", "state=arguments; words=(" + command + "); true"
        )
        done = subprocess.run(
            ["zsh", "-f", "-c", stub + body + "_spicymkl"], capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        given = re.findall(r"^\*(-[-a-z0-9]+)\[", done.stdout, re.MULTILINE)
        assert set(given) >= set(options(spicymkl, command)), command
    subprocess.run(["zsh", "-n", "_spicymkl"], cwd=spicymkl.folder, check=True)


def test_unknown_shells_are_refused(spicymkl):
    spicymkl.refuse(["completion", "fish"], "fish", "bash or zsh")
