"""How dates and numbers are written in languages that Django has no formats for."""
