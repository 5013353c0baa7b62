"""Games and rules of the user's own by name: `module:Name(arguments)`, `path/file.py:Name(...)`.

To import a module is to run it. So there are two ways. `load` imports: for texts
that the user has written, on the command line, in a tournament file or in Python. `check_known`
lets only what this process has loaded already pass: for texts from elsewhere, such as records,
stores, lines of GTP and requests of the page.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module, util
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from sylve.errors import cut, quote, shown
from sylve.grammar import Call, Unreadable, calls_in, read_call, write_value

ALLOWED = "module:Name or path/to/file.py:Name, with arguments such as mygame:Dots(size=3)"
PLAIN = (bool, int, float, str, type(None))
"""The values of the grammar."""


class CannotLoad(ValueError):
    """What a text names cannot be had: the module, the name in it, or its arguments are wrong."""


@dataclass(frozen=True)
class Named:
    """Something that was loaded by its name."""

    text: str
    """Always the same for the same thing: the module, not the file, and arguments by name."""
    made: Any
    modules: tuple[str, ...]
    """The modules whose source decides what it does: where it is named, where it is written."""


BY_TEXT: dict[str, Named] = {}
BY_IDENTITY: dict[int, Named] = {}
"""By `id`; what is in here is never freed, so that no other thing can get its number."""
LOADERS: dict[str, Callable[[str], Any]] = {}
"""By what stands before the colon: packages of others, each with what loads the rest of a text."""
UNQUOTED = re.compile(r"^([^\"\\(]+ [^\"\\(]*\.py):")
FOLDERS: list[Path] = []
"""Where modules are looked for, besides where Python looks."""
SOURCES: dict[str, str] = {}
"""By module: the hash of its source when it was imported."""


def is_own(text: str) -> bool:
    """Whether a text names something of the user's own: no name of ours has a colon."""
    return ":" in text


def read_own(text: str) -> Call:
    """Read a text; a path with blanks at its beginning needs no quotes."""
    return read_call(UNQUOTED.sub(r'"\1":', text))


def load(call: Call, folder: Path | None = None) -> Named:
    """What a call names; imports its module. `folder`: where its text was written, if in a file."""
    written = call.text()
    if folder is None and written in BY_TEXT:
        return BY_TEXT[written]
    package, _, rest = written.partition(":")
    if package in LOADERS:
        made = LOADERS[package](rest)
        named = BY_TEXT.setdefault(str(made), Named(str(made), made, ()))
        BY_IDENTITY[id(named.made)] = named
        return BY_TEXT.setdefault(written, named)
    module_name, _, name = settled_name(call.name, folder).rpartition(":")
    module = sys.modules[module_name]
    target = getattr(module, name, None)
    if target is None:
        public = [key for key, value in vars(module).items() if is_made_here(value, module_name)]
        there = ", ".join(sorted(public)) or "nothing that could be meant"
        raise CannotLoad(f"{quote(written)}: there is no {name} in {module_name}; it has: {there}")
    made, arguments = build(target, call, folder)
    text = f"{module_name}:{name}{arguments}"
    if text not in BY_TEXT:
        modules = {module_name: None, type(made).__module__: None}
        named = Named(text, made, tuple(key for key in modules if source(key) is not None))
        BY_TEXT[text] = BY_IDENTITY[id(made)] = named
    return BY_TEXT.setdefault(written, BY_TEXT[text])


def check_known(text: str | Call) -> None:
    """Refuse a text from elsewhere that names what this process has not loaded.

    After this, reading the text imports nothing.
    """
    try:
        call = read_own(text) if isinstance(text, str) and is_own(text) else text
    except Unreadable:
        return  # whoever reads it says what is wrong
    for inner in own_calls(call):
        if inner.text() not in BY_TEXT:
            raise CannotLoad(
                f"{quote(inner.text())} is not part of sylve, and a text from elsewhere may import"
                " nothing: name it yourself, as GAME or --game on the command line, or load it in"
                " Python first"
            )


def text_of(made: object) -> str | None:
    """The text by which something was loaded, if it was."""
    named = BY_IDENTITY.get(id(made))
    return None if named is None else named.text


def game_text(game: object) -> str:
    """The name of a game, for files and people.

    The text that it was loaded by, or its own, or that of its class where it has none.

    >>> from sylve import Position
    >>> game_text(Position.start("hex(size=5)").game)
    'hex(size=5)'
    """
    kind = type(game)
    plain = kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__
    return text_of(game) or (kind.__name__ if plain else str(game))


def sources(made: object) -> dict[str, str]:
    """By module, the hash of the source that decides what a thing of the user's own does."""
    named, written = BY_IDENTITY.get(id(made)), type(made).__module__
    modules = named.modules if named is not None else (written,)
    found = {module: source(module) for module in modules if module != "__main__"}
    return {module: digest for module, digest in found.items() if digest is not None}


def place_of(error: BaseException) -> str:
    """Where in a module that was loaded an error was raised; nothing if it was elsewhere."""
    place, step = "", error.__traceback__
    while step is not None:
        module = step.tb_frame.f_globals.get("__name__")
        if module in SOURCES:
            place = f"{module}, line {step.tb_lineno}, in {step.tb_frame.f_code.co_name}"
        step = step.tb_next
    return place


def is_made_here(value: object, module: str) -> bool:
    """Whether a value of a module may be meant: a class or function of it, or an object."""
    own = getattr(value, "__module__", None) == module
    return own and not str(getattr(value, "__name__", "")).startswith("_")


# Modules.


def look_in(folder: str | Path) -> None:
    """Look for modules in this folder too, after all others."""
    place = Path(folder)
    if place not in FOLDERS:
        FOLDERS.append(place)


def settled_name(name: str, folder: Path | None = None) -> str:
    """A name with its module imported: `module:Name`, also for a file."""
    where, colon, last = name.rpartition(":")
    where = where.strip('"')
    if not colon or not where or not last.isidentifier():
        raise CannotLoad(f"invalid {quote(name)}: expected {ALLOWED}")
    if where.endswith(".py"):
        return f"{import_file((folder or Path()) / Path(where).expanduser())}:{last}"
    import_by_name(where, [*([] if folder is None else [folder]), Path(), *FOLDERS])
    return f"{where}:{last}"


def import_file(path: Path) -> str:
    """Import a file as a module of its folder; the name of the module."""
    if not path.is_file():
        raise CannotLoad(f"no such file {quote(str(path))}")
    if "." in path.stem:
        raise CannotLoad(
            f"{quote(str(path))} cannot be imported: the name of a module has no dots; rename it"
        )
    module = import_by_name(path.stem, [path.parent])
    other = getattr(module, "__file__", None)
    if other is None or Path(other).resolve() != path.resolve():
        raise CannotLoad(
            f"{quote(str(path))} cannot be imported: {path.stem} is another module already"
            f" ({other or 'built in'}); rename the file"
        )
    return path.stem


def import_by_name(name: str, folders: list[Path]) -> ModuleType:
    """Import a module, from the first of the folders that has it, or from where Python looks.

    What it prints goes to stderr: stdout may be JSON or a protocol.
    """
    top = name.partition(".")[0]
    try:
        with redirect_stdout(sys.stderr):
            if top not in sys.modules:
                import_top(top, folders)
            module = import_module(name)
    except ModuleNotFoundError as error:
        looked = ", ".join(dict.fromkeys(str(folder.resolve()) for folder in folders))
        raise CannotLoad(
            f"cannot import module {quote(name)}: {error}; looked in {looked}, then as Python does"
        ) from error
    except (Exception, SystemExit) as error:
        told = cut(" ".join(str(error).split()), 300)
        raise CannotLoad(
            f"cannot import module {quote(name)}: {type(error).__name__}: {told}"
        ) from error
    source(name)
    return module


def import_top(name: str, folders: list[Path]) -> None:
    """Import a module that one of the folders has.

    Only this module is looked for there first: a folder at the head of `sys.path` would also hide
    modules of Python from everybody else. What the module imports from beside it comes last.
    """
    for folder in folders:
        place = str(folder.resolve())
        spec = PathFinder.find_spec(name, [place])
        if spec is None or spec.loader is None:
            continue
        if place not in sys.path:
            sys.path.append(place)
        module = util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look their module up
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        return


def source(module: str) -> str | None:
    """The hash of the source of a module, as it was when it was first asked for; None: no file."""
    if module not in SOURCES:
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is None or module.partition(".")[0] == "sylve":
            return None
        import hashlib

        try:
            SOURCES[module] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        except OSError:
            return None
    return SOURCES[module]


def home(module: str) -> str:
    """The folder from which a module that is loaded can be imported."""
    top = sys.modules[module.partition(".")[0]]
    if hasattr(top, "__path__"):
        return str(Path(next(iter(top.__path__))).resolve().parent)
    return str(Path(str(top.__file__)).resolve().parent)


# Arguments.


def build(target: Any, call: Call, folder: Path | None) -> tuple[Any, str]:
    """What a call makes of a class or a function, and its arguments in their usual form.

    Anything else is there already: it is taken as it is.
    """
    if not isinstance(target, type) and not inspect.isroutine(target):
        if call.arguments or call.keywords:
            raise CannotLoad(f"{quote(call.text())}: it is an object already, without arguments")
        return target, ""
    arguments = [argument(value, call, folder) for value in call.arguments]
    keywords = {key: argument(value, call, folder) for key, value in call.keywords.items()}
    try:
        signature = inspect.signature(target)
    except ValueError:  # some that are compiled do not tell
        raise CannotLoad(f"{quote(call.text())}: its parameters are not known") from None
    try:
        bound = signature.bind(*arguments, **keywords)
    except TypeError as error:
        raise CannotLoad(f"{quote(call.text())}: {error}; {parameters(signature)}") from None
    try:
        with redirect_stdout(sys.stderr):
            made = target(*arguments, **keywords)
    except (Exception, SystemExit) as error:
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        told = cut(" ".join(str(error).split()), 300)
        raise CannotLoad(f"{quote(call.text())}: {kind}{told}") from error
    return made, usual_form(bound)


def argument(value: object, call: Call, folder: Path | None) -> Any:
    """A value of the grammar: a bare name is a text; what is the user's own is loaded."""
    if not isinstance(value, Call):
        return value
    if is_own(value.name):
        return load(value, folder).made
    if value.arguments or value.keywords:
        raise CannotLoad(
            f"{quote(call.text())}: cannot read the argument {quote(value.text())}: expected a"
            f" number, true, false, none, a text, or {ALLOWED}"
        )
    return value.name


def parameters(signature: inspect.Signature) -> str:
    """The parameters that exist, in words."""
    names = [
        str(one.replace(annotation=inspect.Parameter.empty))
        for one in signature.parameters.values()
    ]
    return f"its parameters: {', '.join(names)}" if names else "it has no parameters"


def usual_form(bound: inspect.BoundArguments) -> str:
    """The arguments by name, without those that have their default; as `read_call` reads them."""
    places: list[str] = []
    named: list[str] = []
    kinds = bound.signature.parameters
    # Before arguments without a name all stand in their places.
    more = any(kinds[name].kind is inspect.Parameter.VAR_POSITIONAL for name in bound.arguments)
    for name, value in bound.arguments.items():
        parameter = kinds[name]
        match parameter.kind:
            case parameter.VAR_POSITIONAL:
                places += [written(one) for one in value]
            case parameter.VAR_KEYWORD:
                named += [f"{key}={written(one)}" for key, one in sorted(value.items())]
            case _:
                default = parameter.default
                usual = type(value) is type(default) and isinstance(value, PLAIN)
                keyword = parameter.kind is parameter.KEYWORD_ONLY
                if parameter.kind is parameter.POSITIONAL_ONLY or (more and not keyword):
                    places.append(written(value))
                elif not usual or value != default:
                    named.append(f"{name}={written(value)}")
    inside = ", ".join([*places, *named])
    return f"({inside})" if inside else ""


def written(value: object) -> str:
    """An argument as text."""
    return text_of(value) or (write_value(value) if isinstance(value, PLAIN) else shown(value))


# Texts that hold names anywhere: players with rules of the user's own.


def own_calls(value: object) -> Iterator[Call]:
    """The calls inside a value of the grammar that name something of the user's own."""
    return (call for call in calls_in(value) if is_own(call.name))


def settled(text: str, folder: Path | None = None) -> str:
    """A text with everything in it loaded and under its usual name; others stay as they are.

    Files become modules: then the text means the same in another folder and in another process.
    """
    if not is_own(text):
        return text
    call = read_own(text)
    return text if not any(own_calls(call)) else settled_value(call, folder)


def settled_value(value: object, folder: Path | None) -> str:
    """The same for a value of the grammar."""
    if not isinstance(value, Call):
        return write_value(value)
    if is_own(value.name):
        return load(value, folder).text
    inside = [settled_value(one, folder) for one in value.arguments]
    inside += [f"{key}={settled_value(one, folder)}" for key, one in value.keywords.items()]
    return f"{value.name}({', '.join(inside)})" if inside else value.name


def loaded(texts: Iterable[str]) -> Iterator[Named]:
    """What texts name that was loaded."""
    for text in texts:
        for call in own_calls(read_own(text)) if is_own(text) else ():
            if call.text() in BY_TEXT:
                yield BY_TEXT[call.text()]


def loaded_sources(texts: Iterable[str]) -> dict[str, str]:
    """By module, the hash of the source of all that the texts name."""
    return {module: str(source(module)) for named in loaded(texts) for module in named.modules}


def homes(texts: Iterable[str]) -> list[str]:
    """The folders that another process of this machine needs, to load what the texts name."""
    return sorted({home(module) for named in loaded(texts) for module in named.modules})
