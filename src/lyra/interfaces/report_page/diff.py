"""What verification changed in a report, line by line."""

from difflib import SequenceMatcher
from html import escape

_AROUND = 1


def diff_html(before: str, after: str) -> str:
    """Return the changed lines with one line around them; an empty text where nothing changed.

    Lines end at `\\n` only, as the report's own edits see them.
    """
    old, new = before.split("\n"), after.split("\n")
    if old == new:
        return ""
    # Without the junk heuristic: in a form that repeats itself every line matters.
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    parts = []
    for group in matcher.get_grouped_opcodes(_AROUND):
        first = group[0][1]
        parts.append(f'<div class="hunk"><div class="where">{first + 1}</div>')
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                parts += [f'<div class="same">{escape(line) or "&nbsp;"}</div>' for line in old[old_from:old_to]]
                continue
            parts += [f"<del>{escape(line) or '&nbsp;'}</del>" for line in old[old_from:old_to]]
            parts += [f"<ins>{escape(line) or '&nbsp;'}</ins>" for line in new[new_from:new_to]]
        parts.append("</div>")
    return "".join(parts)
