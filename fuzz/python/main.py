"""One fuzz target of Python: `python fuzz/python/main.py NAME CORPUS [-runs=N ...]`.

`fuzz/run.py` starts it.
"""

import sys
import time
from pathlib import Path

import atheris

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python")]
with atheris.instrument_imports(include=["sylve"]):
    from checks import CHECKS
    from seeds import SEEDS, WORDS

SECONDS = 1.0  # of processor time for one input


def main() -> None:
    name, corpus, *options = sys.argv[1:]
    check = CHECKS[name]
    folder = Path(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    kept = sorted((HERE.parents[1] / "tests/data/fuzz" / name).glob("*"))
    for number, seed in enumerate([*SEEDS[name](), *(path.read_bytes() for path in kept)]):
        (folder / f"seed-{number}").write_bytes(seed)
    if name in WORDS:
        words = folder.with_name(f"{folder.name}.dict")
        words.write_text("".join(f'"{escaped(word)}"\n' for word in WORDS[name].split()))
        options.append(f"-dict={words}")

    def once(data: bytes) -> None:
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
