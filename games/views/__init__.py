"""Pages and forms: each reads through the selectors and changes through the services."""
