"""Whether a link in the text of a page refers to a source, by rules alone: no model, the same answer every time."""

import re
from urllib.parse import urlsplit

from lyra.core.identifiers import SCHOLARLY
from lyra.core.identity import host_of
from lyra.core.pages import Link

# Words before or around a link by which a text leans on it.
_LEANS = re.compile(
    r"\b(?:according to|as (?:reported|shown|described|noted) (?:by|in)|report(?:s|ed)?(?: that| by| in)?|stud(?:y|ies)|trials?"
    r"|papers?|research(?:ers)?|survey|analysis|review|data (?:from|by)|found that|finds that|show(?:s|ed|n)? that|suggests? that"
    r"|published (?:in|by|under)|sources?:|via|cit(?:es|ed|ing|ation)|references?|the (?:full )?(?:report|paper|study|article)"
    r"|wrote|announced|press release|statement|statistics|tells? of|story)\b"
    r"|によると|によれば|出典|出所|参考|引用|論文|研究|調査|報告|発表|統計|データ|記事|文献|資料",
    re.IGNORECASE,
)
# Where a link leads to something that is done, bought or shared rather than read.
_NO_SOURCE = re.compile(
    r"\b(?:buy|shop|cart|checkout|subscribe|newsletter|sign ?(?:in|up)|log ?in|register|share|tweet|follow us|advert|sponsor"
    r"|donate|download our app|privacy|terms|cookies?|contact|about us|read more|next page|previous page|home ?page|tags?"
    r"|categor(?:y|ies)|archived?|related (?:posts|articles)|comments?)\b"
    r"|購入|買う|通販|会員登録|ログイン|メルマガ|シェア|広告|プライバシー|利用規約|お問い合わせ|関連記事|次のページ|前のページ|一覧|タグ|カテゴリ",
    re.IGNORECASE,
)
_NO_SOURCE_HOST = re.compile(
    r"(?:^|\.)(?:facebook|twitter|x|instagram|pinterest|linkedin|tiktok|t|line|amazon|rakuten|ebay|etsy|patreon|paypal)\."
    r"(?:com|co|co\.jp|co\.uk|me|de|fr)$|(?:^|\.)(?:shop|store|cart|ads?)\.",
    re.IGNORECASE,
)
_NO_SOURCE_PATH = re.compile(
    r"/(?:tags?|categor(?:y|ies)|authors?|login|signup|register|cart|share|search|subscribe|privacy|terms|contact|about)(?:/|$)",
    re.IGNORECASE,
)


def is_citation(link: Link, page_url: str) -> bool:
    """Return whether a link refers to a source of what is said.

    A link to a work by its identifier always does. Of the others those do whose surroundings lean on them, unless they
    lead to a shop, a network, a form, or the navigation of the own site.
    """
    if link.target.kind in SCHOLARLY:
        return True
    parts = urlsplit(link.url)
    host = host_of(link.url) or ""
    if _NO_SOURCE_HOST.search(host) or _NO_SOURCE_PATH.search(parts.path) or _NO_SOURCE.search(link.anchor):
        return False
    if parts.path in ("", "/") and not parts.query and host == host_of(page_url):
        return False
    return bool(_LEANS.search(f"{link.anchor}\n{_nearby(link)}"))


def _nearby(link: Link) -> str:
    """Return the sentence that a link stands in; where that cannot be told, the words around it."""
    at = link.context.find(link.anchor) if link.anchor else -1
    if at < 0:
        return link.context
    before = max((link.context.rfind(stop, 0, at) for stop in (". ", "。", "! ", "? ", "！", "？")), default=-1)
    ends = [
        place for stop in (". ", "。", "! ", "? ", "！", "？") if (place := link.context.find(stop, at + len(link.anchor))) >= 0
    ]
    return link.context[before + 1 : min(ends, default=len(link.context))]
