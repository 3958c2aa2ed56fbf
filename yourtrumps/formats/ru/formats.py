"""Dates in Russian without the «г.» after the year, which would double the full stop of a sentence."""

DATE_FORMAT = "j E Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j E Y, H:i"
