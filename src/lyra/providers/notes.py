"""Notes that stay with a document: what could not be used although the document was read.

They are codes. `page_failed` comes with the number of the page, as `page_failed:3`.
"""

BYTES_REPLACED = "bytes_replaced"
DATE_UNREADABLE = "date_unreadable"
FRONT_MATTER_BROKEN = "front_matter_broken"
FRONT_MATTER_TOO_LARGE = "front_matter_too_large"
IDENTIFIER_UNREADABLE = "identifier_unreadable"
MIXED_ENCODINGS = "mixed_encodings"
NUL_REMOVED = "nul_removed"
PAGE_FAILED = "page_failed"
WHOLE_BODY_USED = "whole_body_used"
