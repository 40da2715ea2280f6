"""What fetching a page of the web comes to: the page, a person who is needed, or a reason why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from lyra.core.records import Document, Identifier, ProviderStatus


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the main text of a page: what it names, where it leads, its words, and the sentence around it."""

    target: Identifier
    url: str
    anchor: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A page as it was brought. `url` is where it was found in the end, `asked` what was asked for.

    `raw` is the body as the server gave it, decompressed, so that a quote can be shown in its place later;
    `content_hash` is the SHA-256 of `document.text` and tells a changed page. `links` stand in its main text, `cited` in its
    list of references. `rendered` says that a browser was needed.
    """

    asked: str
    url: str
    document: Document
    content_hash: str
    raw: bytes
    media_type: str
    fetched_at: datetime
    links: tuple[Link, ...] = ()
    cited: tuple[Link, ...] = ()
    rendered: bool = False
    from_cache: bool = False


class Wall(StrEnum):
    """What stands between a page and its reader."""

    LOGIN = "login"
    CAPTCHA = "captcha"


@dataclass(frozen=True, slots=True)
class NeedsPerson:
    """A page that only a person gets past: it goes to the intervention queue, and the work goes on."""

    asked: str
    url: str
    host: str
    wall: Wall
    sign: str


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """A page that could not be had. `code` and `params` name the sentence (`web.…` or `document.…`), `area` which of them."""

    asked: str
    code: str
    status: ProviderStatus
    params: Mapping[str, object] = field(default_factory=dict)
    area: str = "web"


FetchOutcome = FetchedPage | NeedsPerson | FetchFailure
