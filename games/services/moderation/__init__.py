"""What moderators do, and nobody else: each deed is one function, and one row of the log."""
