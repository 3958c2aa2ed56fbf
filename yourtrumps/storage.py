"""How collected static files are stored."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names files by their contents, those too that scripts import from each other, and compresses them."""

    support_js_module_import_aggregation = True
