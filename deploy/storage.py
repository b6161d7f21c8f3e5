"""Static files under names that contain their hash, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Also rewrites `import … from "./other.js"` inside our ES modules to the hashed names."""

    support_js_module_import_aggregation = True
    # Scripts of other packages hold examples in comments, whose imports lead nowhere.
    _js_module_import_aggregation_patterns = (
        "frontend/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
