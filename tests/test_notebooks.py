"""The notebooks in examples/ run from their first cell to their last, and show what they should."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples" / "notebooks"
COURSE = ROOT / "tests" / "data" / "course"
SHOWN = {
    "000_amaf.ipynb": ["'A': '2/3', 'B': '2/2', 'C': '1/1', 'D': '0/1', 'E': '0/1', 'F': '1/1'"],
    "001_flat.ipynb": ["flat plays 2, exact value -", "uct plays 5, exact value +"],
    "002_rave.ipynb": ["beta = 0.83", "10000 samples: sigma² = 0.250"],
    "003_ucb.ipynb": ["A: 0.64 + 0.27 = 0.91", "C: 0.55 + 0.43 = 0.98", "next: C"],
    "004_alpha_beta.ipynb": ["name='composite'", "LessSimple: ", "depth 6: "],
}
"""What each prints: numbers of its document, and verdicts of the exact solver."""
DRAWN = {
    "000_amaf.ipynb": 2,
    "001_flat.ipynb": 5,
    "002_rave.ipynb": 2,
    "003_ucb.ipynb": 5,
    "004_alpha_beta.ipynb": 3,
}
"""How many of its cells end with something that is drawn, not only printed."""


def read(name: str) -> Any:
    return nbformat.read(FOLDER / name, as_version=4)


def test_one_for_each_document() -> None:
    assert [path.name for path in sorted(FOLDER.iterdir())] == sorted(SHOWN)
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    for name, document in zip(sorted(SHOWN), sorted(COURSE.glob("*.txt")), strict=True):
        title = document.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        first = read(name).cells[0].source.splitlines()[0]
        assert first == f"# {document.stem}: {title}"
        assert f"../examples/notebooks/{name}" in page


@pytest.mark.parametrize("name", SHOWN)
def test_stored_without_outputs(name: str) -> None:
    book = read(name)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


@pytest.mark.parametrize("name", SHOWN)
def test_notebook(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))  # nothing goes to the home
    book = read(name)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=120, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    for output in outputs:
        assert output.output_type in ("stream", "execute_result"), output
        assert output.get("name") != "stderr", output
    data = [output.data for output in outputs if output.output_type == "execute_result"]
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    said = printed + "".join(shown["text/plain"] for shown in data)
    for words in SHOWN[name]:
        assert words in said, said
    assert sum("text/html" in shown for shown in data) == DRAWN[name]
    for shown in data:
        assert " object at 0x" not in shown["text/plain"]
        assert len(shown["text/plain"]) < 400
