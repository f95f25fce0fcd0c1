"""Runs tests over a native core that Clang's sanitizers watch.

    python tools/sanitized_tests.py address [PYTEST'S ARGUMENTS ...]    # make asan-test
    python tools/sanitized_tests.py thread [PYTEST'S ARGUMENTS ...]     # make tsan-test

`address` builds the extensions with AddressSanitizer and UndefinedBehaviorSanitizer and runs all
Python tests but the browser's. `thread` builds with ThreadSanitizer and runs the C++ tests and the
Python tests that ask for several threads. (`make native-test` runs the C++ tests with the other
two.) Everything is written below build/; the extensions that `make setup` built stay as they are.
Fails where a test fails, and where a sanitizer reports anything. Linux, with Clang; CLANG names
which.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "surefoot"
RECIPE = (
    "needs Linux and Clang 16 or later with its runtimes (Debian and Ubuntu: apt-get install"
    " clang-19 libclang-rt-19-dev llvm-19); CLANG=/path/to/clang++ names another one"
)


@dataclass(frozen=True)
class Sanitizer:
    """What is looked for, and how.

    Attributes:
        folder: below build/.
        flags: of the compiler.
        runtime: Clang's library, which must be there before Python is.
        variables: of the environment that take its options.
        options: what they say.
        launcher: what starts programs.
        core: whether the C++ tests are run too.
        tests: what is run where nothing is asked for.
    """

    folder: str
    flags: str
    runtime: str
    variables: tuple[str, ...]
    options: str
    launcher: tuple[str, ...] = ()
    core: bool = False
    tests: tuple[str, ...] = ()


SANITIZERS = {
    "address": Sanitizer(
        folder="asan",
        flags="-fsanitize=address,undefined -fno-sanitize=vptr",
        runtime="asan",
        variables=("ASAN_OPTIONS", "UBSAN_OPTIONS"),
        # Python and its modules release little at exit: leaks are not looked for. Requests for more
        # memory than there is fail as they do without a sanitizer.
        options="print_stacktrace=1:detect_leaks=0:allocator_may_return_null=1",
        # A browser does not start with the runtime loaded before it.
        tests=("--ignore=tests/browser",),
    ),
    "thread": Sanitizer(
        folder="tsan",
        flags="-fsanitize=thread",
        runtime="tsan",
        variables=("TSAN_OPTIONS",),
        options="exitcode=0:history_size=4",
        # It needs its part of the address space free: no random addresses.
        launcher=("setarch", "-R"),
        core=True,
        tests=(
            "tests/agents/test_loop.py",
            "tests/agents/test_walking_crowds.py",
            "tests/control/test_adaptation.py",
            "tests/learning",
            "tests/motion/playing/test_beats.py",
            "tests/motion/test_engine.py",
            "tests/physics/test_stage.py",
            "tests/planning/footsteps/test_live.py",
            "tests/planning/footsteps/test_moving_platforms.py",
            "tests/planning/footsteps/test_performing.py",
            "tests/planning/grid/test_moves.py",
            "tests/planning/grid/test_voxels.py",
            "tests/world/test_batches.py",
            "tests/world/test_live.py",
            "tests/world/test_sweeps.py",
        ),
    ),
}


def main(arguments: list[str]) -> int:
    """Runs tests under one sanitizer; the exit status."""
    if not arguments or arguments[0] not in SANITIZERS:
        print(__doc__, file=sys.stderr)
        return 2
    sanitizer, tests = SANITIZERS[arguments[0]], arguments[1:]
    clang, folder = find_clang(), ROOT / "build" / sanitizer.folder
    reports = empty(folder / "reports")
    # Reports go to files: pytest swallows what tests print.
    options = f"{sanitizer.options}:log_path={reports / 'report'}"
    if symbolizer := find_symbolizer(clang):
        options += f":external_symbolizer_path={symbolizer}"
    environment = os.environ | dict.fromkeys(sanitizer.variables, options)
    status = 0
    if sanitizer.core and not tests:
        status = test_core(sanitizer, clang, folder / "core", environment)
    environment["SUREFOOT_SANITIZER_REPORTS"] = str(reports)
    status |= test_package(sanitizer, clang, folder, environment, tests or list(sanitizer.tests))
    return int(print_reports(reports)) or status


def test_core(sanitizer: Sanitizer, clang: str, folder: Path, environment: dict[str, str]) -> int:
    """The C++ tests; their exit status."""
    build(ROOT / "native", folder, clang, sanitizer.flags, ["native_tests"])
    command = [*sanitizer.launcher, str(folder / "tests" / "native_tests")]
    return subprocess.run(command, env=environment, check=False).returncode


def test_package(
    sanitizer: Sanitizer, clang: str, folder: Path, environment: dict[str, str], tests: list[str]
) -> int:
    """Python tests over sanitized extensions; their exit status."""
    # Before Python is there; with the C++ library of the same compiler.
    libraries = [
        find_library(clang, f"libclang_rt.{sanitizer.runtime}-{machine()}.so"),
        find_library(clang, "libstdc++.so.6"),
    ]
    # MuJoCo's headers come with its wheel; without it there is no `_physics`.
    modules = ["_native", *(["_physics"] if find_spec("mujoco") else [])]
    build(ROOT, folder, clang, f"{sanitizer.flags} -shared-libsan", modules)
    environment = environment | {
        "LD_PRELOAD": " ".join(libraries),
        # Python's small objects each in an allocation of their own, so that overruns are seen.
        "PYTHONMALLOC": "malloc",
        # How numpy's own threads wait for each other cannot be seen.
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT / "tools"),
    }
    command = [*sanitizer.launcher, make_environment(folder, modules), "-m", "pytest"]
    command += ["-p", "no:cacheprovider", "-p", "sanitizer_reports", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def find_clang() -> str:
    """The Clang that the variable CLANG names, or else the newest one on the path."""
    names = [f"clang++-{version}" for version in range(30, 15, -1)] + ["clang++"]
    clang = os.environ.get("CLANG") or next(filter(shutil.which, names), "")
    if sys.platform != "linux" or not shutil.which(clang):
        raise SystemExit(f"{clang or 'clang++'} was not found: a sanitized build {RECIPE}")
    return clang


def find_library(clang: str, name: str) -> str:
    """The path of one of the libraries that Clang links."""
    path = output(clang, f"-print-file-name={name}")
    if not os.path.isabs(path):
        raise SystemExit(f"{clang} has no {name}: a sanitized build {RECIPE}")
    return path


def find_symbolizer(clang: str) -> str:
    """The program that turns addresses into names and lines; empty where there is none."""
    version = re.search(r"version (\d+)", output(clang, "--version"))
    names = ["llvm-symbolizer"]
    if version:
        names.insert(0, f"llvm-symbolizer-{version[1]}")
    return next(filter(None, map(shutil.which, names)), "")


def machine() -> str:
    """The processor, as Clang's runtimes name it."""
    return {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine(), platform.machine())


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def build(source: Path, folder: Path, clang: str, sanitizers: str, targets: Iterable[str]) -> None:
    """Compiles targets of a CMakeLists.txt with sanitizers into a folder."""
    settings = {
        "SKBUILD": "1",
        "CMAKE_BUILD_TYPE": "None",
        # The names and lines of functions, and checks of indices in the standard library.
        "CMAKE_CXX_FLAGS": f"{sanitizers} -O1 -g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS",
        # Compiles in half the time of -O3.
        "SUREFOOT_OPTIMIZATION": "-O1",
        "CMAKE_CXX_COMPILER": clang,
        "nanobind_DIR": output(sys.executable, "-m", "nanobind", "--cmake_dir"),
        "Python_EXECUTABLE": sys.executable,
    }
    # CMake and Ninja as `make setup` installs them, beside this Python.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    configure = [
        "cmake",
        "--no-warn-unused-cli",
        "-G",
        "Ninja",
        "-S",
        str(source),
        "-B",
        str(folder),
    ]
    configure += [f"-D{name}={value}" for name, value in settings.items()]
    for command in (configure, ["cmake", "--build", str(folder), "--target", *targets]):
        done = subprocess.run(command, env=environment, check=False)
        if done.returncode:
            raise SystemExit(done.returncode)


def make_environment(folder: Path, modules: Iterable[str]) -> str:
    """A Python whose surefoot has the sanitized extensions; everything else is this Python's."""
    package = empty(folder / "package" / "surefoot")
    for part in PACKAGE.iterdir():
        if not part.name.startswith(("_native.", "_physics.", "__pycache__")):
            (package / part.name).symlink_to(part)
    for module in modules:
        for extension in folder.glob(f"{module}.*so"):
            (package / extension.name).symlink_to(extension)
    place = folder / "python"
    venv.create(place, clear=True, symlinks=True)
    packages = sysconfig.get_path("purelib", "venv", {"base": str(place)})
    # Entries of `sys.path` alone: the import hook of an editable installation stays out.
    others = [entry for entry in sys.path if "site-packages" in entry]
    lines = [str(package.parent), *others]
    Path(packages, "sanitized.pth").write_text("\n".join(lines) + "\n")
    return str(place / "bin" / "python")


def empty(folder: Path) -> Path:
    """A folder with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def print_reports(folder: Path) -> bool:
    """Prints what the sanitizers wrote, and which tests ran; whether they wrote anything."""
    reports = sorted(folder.glob("report.*"))
    for report in reports:
        print(f"\n{report}:")
        # Far up the stack there is nothing but Python.
        text = report.read_text(errors="replace")
        print(re.sub(r"^ +#(1[6-9]|[2-9]\d|\d{3,}) .*\n", "", text, flags=re.MULTILINE))
    for name, meaning in (("tests", "Tests with reports"), ("running", "Stopped in")):
        if (folder / name).exists():
            print(f"{meaning}:\n{(folder / name).read_text()}")
    print(f"Files of sanitizers' reports: {len(reports)}")
    return bool(reports)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
