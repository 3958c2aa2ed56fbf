"""Dates in Georgian, with hours to 24."""

DATE_FORMAT = "j F, Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F, Y, H:i"
