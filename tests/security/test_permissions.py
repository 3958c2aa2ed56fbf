"""Everything on the site against everybody, exactly as docs/permissions.md says."""

import pytest

from tests.security import matrix

pytestmark = pytest.mark.django_db


def test_the_table_tells_about_all_that_there_is_and_of_nothing_else() -> None:
    named = {name for _method, name in matrix.table()}
    there = set(matrix.what_there_is())
    assert {"missing": sorted(there - named), "gone": sorted(named - there)} == {"missing": [], "gone": []}


def test_everybody_may_do_exactly_what_the_table_says() -> None:
    world = matrix.build()
    table = matrix.table()
    measured = {row[:2]: row for name in matrix.what_there_is() for row in matrix.measure(world, name)}
    differing = [matrix.written(row) for key, row in measured.items() if table.get(key) != row]
    gone = sorted(set(table) - set(measured))
    assert not differing, "as measured; change the site, or after thought the table:\n" + "\n".join(differing)
    assert not gone
