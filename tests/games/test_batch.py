"""Work on many rows: one that fails is written down and keeps no other waiting."""

import pytest

from games.services.batch import each


def test_an_item_that_fails_is_logged_and_keeps_none_of_the_others_waiting(caplog: pytest.LogCaptureFixture) -> None:
    def invert(number: int) -> float:
        return 1 / number

    assert list(each([4, 0, 2], invert)) == [0.25, 0.5]
    (record,) = caplog.records
    assert (record.levelname, record.exc_info and record.exc_info[0]) == ("ERROR", ZeroDivisionError)
    assert "invert of 0 failed" in record.getMessage()
