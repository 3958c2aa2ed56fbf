"""A match and a viewer become what pages show: parts for the templates, and the sentences in them.

Nothing of a closed hand gets in here for a viewer who may not see it, so that no template can leak it. All texts are
in the active language.
"""
