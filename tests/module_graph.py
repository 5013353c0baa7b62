"""Which file uses which, in both languages, by reading them.

Lazy imports count; what is for tests or for the type checker only does not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMPILED = "sylve._core"
Graph = dict[Path, set[Path]]
"""Each file with those that it uses, relative to the root of the repository."""


def cycle(graph: Graph) -> list[Path]:
    """The files of a cycle, each using the next; none if there is no cycle."""
    done: set[Path] = set()

    def walk(path: list[Path]) -> list[Path]:
        here = path[-1]
        for used in sorted(graph[here] - done):
            if used in path:
                return [*path[path.index(used) :], used]
            if found := walk([*path, used]):
                return found
        done.add(here)
        return []

    for file in sorted(graph):
        if file not in done and (found := walk([file])):
            return found
    return []


# Python


def python_graph(source: Path) -> Graph:
    """Of all packages in a folder."""
    files = {}
    for path in sorted(source.rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph: Graph = {}
    for path in files.values():
        names = python_imports(ast.parse(path.read_text()), {*files, COMPILED})
        used = {files[name] for name in names if name in files} - {path}
        graph[path.relative_to(ROOT)] = {file.relative_to(ROOT) for file in used}
    return graph


def python_imports(tree: ast.AST, modules: set[str]) -> Iterator[str]:
    """The modules that a file imports, wherever in it, except for the type checker only."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                inside = f"{node.module}.{name.name}"
                yield inside if inside in modules else node.module
        yield from python_imports(node, modules)


# Rust

Module = tuple[str, ...]


class RustCrate:
    """The modules of a crate, what they use and what they pass on (`pub use`)."""

    def __init__(self, source: Path) -> None:
        self.files: dict[Module, Path] = {}
        for path in sorted(source.rglob("*.rs")):
            parts = path.relative_to(source).with_suffix("").parts
            if parts[-1] != "tests":
                self.files[
                    () if parts == ("lib",) else parts[: -1 if parts[-1] == "mod" else None]
                ] = path
        texts = {module: without_tests(path.read_text()) for module, path in self.files.items()}
        for module in [module for module, text in texts.items() if not text.strip()]:
            del self.files[module]  # a module for tests only
        self.passed_on: dict[Module, dict[str, Module]] = {}
        self.used: dict[Module, list[Module]] = {}
        for module in self.files:
            self.read(module, texts[module])

    def read(self, module: Module, text: str) -> None:
        """Find the paths in a file."""
        statement = r"(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);"
        self.passed_on[module], self.used[module] = {}, []
        for public, tree in re.findall(statement, text):
            for path, name in expanded(tree):
                if public:
                    self.passed_on[module][name] = path
                else:
                    self.used[module].append(path)
        body = re.sub(statement, "", text)
        self.used[module] += [
            tuple(path.split("::"))
            for path in re.findall(r"(?<![\w:])(?<!pub\(in )((?:crate|super)(?:::\w+)+)", body)
        ]
        self.used[module] += [
            (name, "?") for name in re.findall(r"(?<![\w:])([a-z_]\w*)::\w+", body)
        ]

    def absolute(self, module: Module, path: Module) -> Module | None:
        """A path from the root of the crate; nothing for other crates."""
        if path[0] == "crate":
            return path[1:]
        while path and path[0] in ("self", "super"):
            module = module[:-1] if path[0] == "super" else module
            path = path[1:]
            if not path or path[0] not in ("self", "super"):
                return module + path
        return module + path if module + path[:1] in self.files else None

    def module_of(self, module: Module, path: Module, depth: int = 0) -> Module | None:
        """The module that defines what a path names."""
        whole = self.absolute(module, path)
        if whole is None or depth > 9:
            return None
        length = next(n for n in range(len(whole), -1, -1) if whole[:n] in self.files)
        found, rest = whole[:length], whole[length:]
        if rest and rest[0] in self.passed_on.get(found, {}):
            origin = self.passed_on[found][rest[0]] + rest[1:]
            return self.module_of(found, origin, depth + 1) or found
        return found

    def graph(self) -> Graph:
        """Which file uses which."""
        graph: Graph = {}
        for module, path in self.files.items():
            found = {self.module_of(module, used) for used in self.used[module]} - {None, module}
            graph[path.relative_to(ROOT)] = {
                self.files[used].relative_to(ROOT) for used in found if used is not None
            }
        return graph


def without_tests(text: str) -> str:
    """Rust without comments, texts and what is compiled for tests only."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    while match := re.search(r"#!?\[cfg\((?:all\()?test\b[^\n]*\]\s*", text):
        if match[0].startswith("#!"):
            return ""
        end = text.find(";", match.end())
        opening = text.find("{", match.end())
        if 0 <= opening < end or end < 0:
            depth, end = 1, opening + 1
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            end -= 1
        text = text[: match.start()] + text[end + 1 :]
    return text


def expanded(tree: str, prefix: Module = ()) -> Iterator[tuple[Module, str]]:
    """The paths of a use tree, each with the name that it gives."""
    head, brace, rest = tree.strip().partition("{")
    if not brace:
        path, _, name = head.partition(" as ")
        whole = prefix + tuple(word.strip() for word in path.split("::"))
        whole = whole[:-1] if whole[-1] == "self" else whole
        yield whole, name.strip() or whole[-1]
        return
    prefix += tuple(word.strip() for word in head.split("::") if word.strip())
    for part in split_at_commas(rest.rpartition("}")[0]):
        yield from expanded(part, prefix)


def split_at_commas(text: str) -> list[str]:
    """Parts of a use tree, braces kept together."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]
