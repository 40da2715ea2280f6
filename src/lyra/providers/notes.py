"""Notes that stay with a document: what could not be used although the document was read.

They are codes. `page_failed` comes with the number of the page, as `page_failed:3`.
"""

ABSTRACT_MISSING = "abstract_missing"
BYTES_REPLACED = "bytes_replaced"
DATE_UNREADABLE = "date_unreadable"
FIELD_REPEATED = "field_repeated"
FRONT_MATTER_BROKEN = "front_matter_broken"
FRONT_MATTER_TOO_LARGE = "front_matter_too_large"
GARBLED_PASSAGES = "garbled_passages"
IDENTIFIER_UNREADABLE = "identifier_unreadable"
LATEX_KEPT = "latex_kept"
MIXED_ENCODINGS = "mixed_encodings"
NUL_REMOVED = "nul_removed"
PAGE_FAILED = "page_failed"
RECORD_UNENDED = "record_unended"
WHOLE_BODY_USED = "whole_body_used"
