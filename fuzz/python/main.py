"""One fuzz target of Python: `python fuzz/python/main.py NAME CORPUS [-runs=N ...]`.

`fuzz/run.py` starts it.
"""

import gc
import sys
import time
from pathlib import Path
from types import FunctionType

import atheris

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "python"
sys.path[:0] = [str(HERE), str(PACKAGE)]
from checks import CHECKS  # noqa: E402
from seeds import SEEDS, WORDS  # noqa: E402

SECONDS = 1.0  # of processor time for one input
# An input takes three to five times as long with tracing, which the fuzzer needs to see that an
# input does something new. The first TRACED of every PERIOD inputs are traced. The others are made
# from the same corpus and checked in the same way.
TRACED, PERIOD = 1_000, 10_000


class Tracing:
    """The functions of the package, each with its traced code and its plain one."""

    def __init__(self) -> None:
        own = [
            function
            for function in gc.get_objects()
            if isinstance(function, FunctionType)
            and function.__code__.co_filename.startswith(str(PACKAGE))
        ]
        plain = [(function, function.__code__) for function in own]
        traced = [(function, atheris.instrument_func(function).__code__) for function in own]
        self.codes = {False: plain, True: traced}

    def switch(self, on: bool) -> None:
        """From now on trace, or do not."""
        for function, code in self.codes[on]:
            function.__code__ = code


def main() -> None:
    name, corpus, *options = sys.argv[1:]
    check = CHECKS[name]
    folder = Path(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    kept = sorted((HERE.parents[1] / "tests/data/fuzz" / name).glob("*"))
    for number, seed in enumerate([*SEEDS[name](), *(path.read_bytes() for path in kept)]):
        check(seed)  # and what is imported late is there before it is traced
        (folder / f"seed-{number}").write_bytes(seed)
    if name in WORDS:
        words = folder.with_name(f"{folder.name}.dict")
        words.write_text("".join(f'"{escaped(word)}"\n' for word in WORDS[name].split()))
        options.append(f"-dict={words}")
    tracing = Tracing()
    begun = max(TRACED, sum(1 for _ in folder.iterdir()))  # all that the corpus has is traced
    inputs = 0

    def once(data: bytes) -> None:
        nonlocal inputs
        if inputs >= begun and (inputs - begun) % PERIOD in (0, PERIOD - TRACED):
            tracing.switch((inputs - begun) % PERIOD != 0)
        inputs += 1
        begin = time.process_time()
        check(data)
        spent = time.process_time() - begin
        assert spent < SECONDS, f"{spent:.2f} s of processor time"

    atheris.Setup([sys.argv[0], str(folder), *options], once)
    atheris.Fuzz()


def escaped(word: str) -> str:
    """A word as dictionaries of libFuzzer have it; \\n and the like stand for one byte."""
    word = word.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")
    return "".join(
        letter if letter.isalnum() else "".join(f"\\x{byte:02x}" for byte in letter.encode())
        for letter in word
    )


main()
