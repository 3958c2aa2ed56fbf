"""Imports go one way: from pages and commands down to services, selectors, models and the rules."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PRESENTATION = {"games.views", "games.consumers", "games.admin", "games.worker", "games.management", "games.urls"}
# How rows are written: by a method of the row, or by one at the end of a query.
ROWS_OF_A_MATCH = {"match", "seat", "move"}
MANAGERS_OF_A_MATCH = {"seats", "moves", "rematches", "invitations"}
WRITES_OF_A_ROW = {"save", "asave", "delete", "adelete"}
WRITES_OF_A_QUERY = {"create", "acreate", "bulk_create", "bulk_update", "get_or_create", "update", "aupdate", "delete"}


@dataclass(frozen=True)
class Source:
    """One file of the site."""

    path: Path

    @property
    def module(self) -> str:
        """The module's dotted name, that of the package for an ``__init__.py``."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def package(self) -> str:
        return self.module if self.path.name == "__init__.py" else self.module.rpartition(".")[0]

    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    def imports(self) -> Iterator[str]:
        """Yield the dotted name of everything imported anywhere in the file, in functions too.

        ``from games import selectors`` yields ``games.selectors``; so do relative imports.
        """
        for node in ast.walk(self.tree()):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    ancestor = ".".join(self.package.split(".")[: len(self.package.split(".")) - node.level + 1])
                    base = f"{ancestor}.{base}" if base else ancestor
                yield from (f"{base}.{alias.name}" for alias in node.names)

    def calls(self) -> Iterator[list[str]]:
        """Yield every method called as the names that lead to it: ``A.objects.filter().update()`` ends in update."""
        for node in ast.walk(self.tree()):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield list(names_of(node.func))

    def writes(self) -> Iterator[str]:
        """Yield every call that writes to the database."""
        for names in self.calls():
            managed = not {"objects", *MANAGERS_OF_A_MATCH}.isdisjoint(names)
            if names[-1] in WRITES_OF_A_ROW or (names[-1] in WRITES_OF_A_QUERY and managed):
                yield ".".join(names)


def names_of(expression: ast.expr) -> Iterator[str]:
    """Yield the names in a chain of attributes and calls, first to last."""
    if isinstance(expression, ast.Attribute):
        yield from names_of(expression.value)
        yield expression.attr
    elif isinstance(expression, ast.Call):
        yield from names_of(expression.func)
    elif isinstance(expression, ast.Subscript):
        yield from names_of(expression.value)
    elif isinstance(expression, ast.Name):
        yield expression.id


def sources(*places: str) -> list[Source]:
    """Return the files in the packages and modules named, without migrations."""
    found: list[Source] = []
    for place in places:
        path = ROOT / place.replace(".", "/")
        files = [path.with_suffix(".py")] if path.with_suffix(".py").exists() else sorted(path.rglob("*.py"))
        found += [Source(file) for file in files if "migrations" not in file.parts]
    return found


def within(name: str, packages: set[str]) -> bool:
    """Return whether the dotted name is one of the packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def offences(files: list[Source], forbidden: set[str]) -> list[str]:
    return [f"{file.module} imports {name}" for file in files for name in file.imports() if within(name, forbidden)]


def test_every_place_that_the_rules_below_name_holds_files() -> None:
    places = ["games.rules", "games.engine", "games.models", "games.services", "games.selectors", "games.broadcast"]
    assert all(sources(place) for place in [*places, "accounts", "yourtrumps"])


def test_the_rules_import_the_standard_library_and_themselves_alone() -> None:
    allowed = set(sys.stdlib_module_names) | {"games.rules"}
    assert [
        f"{file.module} imports {name}"
        for file in sources("games.rules")
        for name in file.imports()
        if not within(name, allowed)
    ] == []


def test_the_engine_imports_the_rules_and_its_number_crunchers_alone() -> None:
    allowed = set(sys.stdlib_module_names) | {"games.rules", "games.engine", "numpy", "numba", "llvmlite"}
    assert [
        f"{file.module} imports {name}"
        for file in sources("games.engine")
        for name in file.imports()
        if not within(name, allowed)
    ] == []


@pytest.mark.parametrize(
    ("places", "forbidden"),
    [
        (["games.models"], {"games.services", "games.selectors", "games.broadcast", "games.engine", *PRESENTATION}),
        (["games.selectors", "games.broadcast"], {"games.services", "games.engine", *PRESENTATION}),
        (["games.notices"], {"games.services", "games.engine", *PRESENTATION}),
        (["games.services"], {"games.engine", "django.http", "django.shortcuts", "django.template", *PRESENTATION}),
        (["games.views"], {"games.consumers", "games.engine", "games.worker", "games.admin"}),
        (["games.consumers"], {"games.views", "games.engine", "games.worker", "games.admin"}),
        (["accounts"], {"games", "yourtrumps"}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_no_layer_imports_what_stands_above_it(places: list[str], forbidden: set[str]) -> None:
    assert offences(sources(*places), forbidden) == []


def test_one_module_alone_sends_to_the_channel_layer() -> None:
    senders = {
        file.module
        for file in sources("games", "accounts", "yourtrumps")
        if any(names[-1] == "group_send" for names in file.calls())
    }
    assert senders == {"games.broadcast"}


def test_matches_are_written_by_services_alone() -> None:
    readers = [
        file
        for file in sources("games")
        if not within(file.module, {"games.services", "games.models", "games.rules", "games.engine"})
    ]
    assert any(call.startswith("Match.objects") for file in sources("games.services") for call in file.writes())
    # Statements that are composed once write rows too.
    composers = {file.module for file in sources("games") if "yourtrumps.statements.insert" in set(file.imports())}
    assert composers == {"games.services.playing"}
    assert offences(readers, {"yourtrumps.statements"}) == []
    writers = {
        f"{file.module} calls {call}"
        for file in readers
        for call in file.writes()
        if not (ROWS_OF_A_MATCH | MANAGERS_OF_A_MATCH).isdisjoint(call.lower().split(".")[:-1])
    }
    assert writers == set()


def test_a_write_is_seen_however_it_is_put(tmp_path: Path) -> None:
    written = tmp_path / "written.py"
    for statement in (
        "Match.objects.filter(pk=1).update(turn=2)",
        "match.moves.create(turn=2)",
        "user.seats.filter(number=0).update(user=None)",
        "self.match.save()",
        "seats[0].save()",
    ):
        written.write_text(statement, encoding="utf-8")
        assert list(Source(written).writes()), statement
    written.write_text("match.seats.filter(number=0).first(); shown.update(turn=2)", encoding="utf-8")
    assert list(Source(written).writes()) == []


def test_no_signals_steer_a_match() -> None:
    assert offences(sources("games"), {"django.db.models.signals", "django.dispatch"}) == []
    savers = [
        f"{file.module}.{node.name}"
        for file in sources("games.models")
        for node in ast.walk(file.tree())
        if isinstance(node, ast.ClassDef)
        for member in node.body
        if isinstance(member, ast.FunctionDef) and member.name in {"save", "delete"}
    ]
    assert savers == []


def test_no_file_is_longer_than_500_lines() -> None:
    files = sources("games", "accounts", "yourtrumps", "tests", "scripts")
    assert {
        file.module: length
        for file in files
        if (length := len(file.path.read_text(encoding="utf-8").split("\n"))) > 501
    } == {}
