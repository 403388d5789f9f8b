"""Makes notebooks of their sources, executes them against a service, and writes them with their pictures.

    TALLY_URL=… TALLY_TOKEN=… python clients/python/scripts/notebooks.py docs/notebooks

A source is a file of Python in which ``# %%`` begins a cell of code and ``# %% [markdown]`` one of text. A cell that fails ends the
run with its error. Prints how long each notebook took.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

SOURCES = Path(__file__).parents[3] / "docs/notebooks/src"
_CELL_SECONDS_MAX = 600
_WIDGET = "application/vnd.jupyter.widget-view+json"


def read_source(text: str) -> nbformat.NotebookNode:
    cells = []
    for part in ("\n" + text).split("\n# %%")[1:]:
        kind, _, body = part.partition("\n")
        if "[markdown]" in kind:
            cells.append(
                new_markdown_cell(
                    "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.strip().split("\n"))
                )
            )
        else:
            cells.append(new_code_cell(body.strip()))
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i + 1}"  # the same source is the same file
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("target", type=Path)
    parser.add_argument("names", nargs="*", help="only these; all unless given")
    arguments = parser.parse_args()
    begun = time.monotonic()
    for source in sorted(SOURCES.glob("*.py")):
        if arguments.names and source.stem not in arguments.names:
            continue
        start = time.monotonic()
        notebook = read_source(source.read_text(encoding="utf-8"))
        NotebookClient(notebook, timeout=_CELL_SECONDS_MAX, kernel_name="python3").execute()
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)  # times of the run
            if cell.cell_type == "code":  # without bars of progress, which a file cannot show
                cell.outputs = [one for one in cell.outputs if _WIDGET not in one.get("data", {})]
        notebook.metadata.pop("widgets", None)
        nbformat.write(notebook, arguments.target / f"{source.stem}.ipynb")
        print(f"{source.stem}: {time.monotonic() - start:.1f} s", flush=True)
    print(f"all: {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
