"""Everything on the site against everybody, exactly as docs/permissions.md says."""

import pytest

from tests.security import matrix

pytestmark = [pytest.mark.django_db, pytest.mark.one_engine]

#: So many tests share the work; each tries every so manieth thing on a site of its own.
SHARES = 6


def test_the_table_tells_about_all_that_there_is_and_of_nothing_else() -> None:
    named = {name for _method, name in matrix.table()}
    there = set(matrix.what_there_is())
    assert {"missing": sorted(there - named), "gone": sorted(named - there)} == {"missing": [], "gone": []}


@pytest.mark.parametrize("share", range(SHARES))
def test_everybody_may_do_exactly_what_the_table_says(share: int) -> None:
    world = matrix.build()
    names = matrix.what_there_is()[share::SHARES]
    table = {key: row for key, row in matrix.table().items() if key[1] in names}
    measured = {row[:2]: row for name in names for row in matrix.measure(world, name)}
    differing = [matrix.written(row) for key, row in measured.items() if table.get(key) != row]
    gone = sorted(set(table) - set(measured))
    assert not differing, "as measured; change the site, or after thought the table:\n" + "\n".join(differing)
    assert not gone
