"""A model hub over HTTPS: what a model offers, and its files, resumed and verified. Used by `lyra models pull` alone."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx2

from lyra.core.errors import HubError, LyraError, NotFound
from lyra.core.model_hub import HubFile, HubModel, languages_of

PARTIAL = ".part"
_LARGEST_ANSWER = 20_000_000
_REDIRECTS = 5
_CHUNK = 1 << 20
_OK, _PARTIAL_CONTENT, _NOTHING_LEFT = 200, 206, 416
# A hub answers 401 also for a model that does not exist, so as not to tell which names are taken.
_UNKNOWN = (401, 404)
_REFUSED = (403, 451)
_THROTTLED = (429, 503)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_GIT_ID = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class HubManners:
    """How a hub is asked: how long it may keep silent, and how often a broken transfer is gone on with."""

    connect_seconds: float = 10.0
    read_seconds: float = 60.0
    attempts: int = 4
    user_agent: str = "lyra-evidence"


class HttpModelHub:
    """The `ModelHub` port. Opens a connection only while `describe` or `fetch` run; proxies of the environment are ignored."""

    def __init__(self, url: str, manners: HubManners, sleep: Callable[[float], None]) -> None:
        self._url = url.rstrip("/")
        self._manners = manners
        self._sleep = sleep

    @property
    def url(self) -> str:
        """The address of the hub."""
        return self._url

    def describe(self, name: str, revision: str) -> HubModel:
        """Return a model's files at a revision, pinned to its commit."""
        url = f"{self._url}/api/models/{quote(name)}/revision/{quote(revision, safe='')}?blobs=true"
        with self._get(url, {}) as response:
            if response.status_code in _UNKNOWN:
                raise NotFound("hub_model_unknown", name=name, revision=revision, url=self._url)
            _refuse(response, url)
            body = _whole(response, url)
        try:
            return _model(name, json.loads(body))
        except (ValueError, RecursionError) as error:
            raise HubError("hub_bad_answer", url=url, detail=error) from error

    def fetch(self, model: HubModel, file: HubFile, target: Path, advance: Callable[[int], None]) -> None:
        """Bring one file to `target`: what is there and right is kept, what is half-done is gone on with.

        The content is verified before it takes its name; content that differs from what the hub promised is dropped.
        """
        if target.is_file() and _is_right(target, file):
            advance(file.size)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + PARTIAL)
        url = f"{self._url}/{quote(model.name)}/resolve/{model.commit}/{quote(file.path)}"
        self._transfer(url, file, part, advance)
        if not _is_right(part, file):
            part.unlink()
            raise HubError("hub_wrong_content", url=url)
        part.replace(target)

    def _transfer(self, url: str, file: HubFile, part: Path, advance: Callable[[int], None]) -> None:
        """Fill `part` with the whole file, over several connections if need be."""
        told = 0

        def tell(by: int) -> None:
            nonlocal told
            told += by
            advance(by)

        for attempt in range(1, self._manners.attempts + 1):
            have = part.stat().st_size if part.exists() else 0
            if have > file.size:
                part.unlink()
                have = 0
            tell(have - told)
            if have == file.size:
                return
            try:
                self._go_on(url, file, part, tell)
            except HubError as failure:
                # Only a connection that broke is tried again at once; a refusal or a throttle is told to the person.
                if failure.code != "hub_unreachable" or attempt == self._manners.attempts:
                    raise
                self._sleep(2.0 ** (attempt - 1))
        have = part.stat().st_size if part.exists() else 0
        if have != file.size:
            raise HubError("hub_unreachable", url=url, detail=f"{have}/{file.size}")

    def _go_on(self, url: str, file: HubFile, part: Path, tell: Callable[[int], None]) -> None:
        """Add to `part` what one connection gives of the rest."""
        have = part.stat().st_size if part.exists() else 0
        headers = {"Range": f"bytes={have}-"} if have else {}
        with self._get(url, headers) as response:
            if response.status_code == _NOTHING_LEFT:
                part.unlink(missing_ok=True)
                return
            if response.status_code in _UNKNOWN:
                raise HubError("hub_refused", url=url, status=response.status_code)
            _refuse(response, url)
            continued = response.status_code == _PARTIAL_CONTENT and _starts_at(response, have)
            if have and not continued:
                tell(-have)
                have = 0
            with part.open("ab" if have else "wb") as stream:
                for chunk in _chunks(response, url):
                    have += len(chunk)
                    if have > file.size:
                        break
                    stream.write(chunk)
                    tell(len(chunk))
        if have > file.size:
            part.unlink()
            raise HubError("hub_wrong_content", url=url)

    @contextmanager
    def _get(self, url: str, headers: dict[str, str]) -> Iterator[httpx2.Response]:
        """Ask for an address and follow its redirects, never from HTTPS to an open connection elsewhere."""
        manners = self._manners
        timeout = httpx2.Timeout(manners.read_seconds, connect=manners.connect_seconds)
        asked = {"User-Agent": manners.user_agent, "Accept-Encoding": "identity", **headers}
        with httpx2.Client(timeout=timeout, follow_redirects=False, trust_env=False, headers=asked) as client:
            address = httpx2.URL(url)
            for _ in range(_REDIRECTS + 1):
                try:
                    response = client.send(client.build_request("GET", address), stream=True)
                except (httpx2.HTTPError, httpx2.InvalidURL) as failure:
                    raise HubError("hub_unreachable", url=url, detail=_reason(failure)) from failure
                try:
                    if not response.is_redirect:
                        yield response
                        return
                    address = self._redirected(address, response, url)
                finally:
                    response.close()
            raise HubError("hub_bad_answer", url=url, detail=f"> {_REDIRECTS} redirects")

    def _redirected(self, address: httpx2.URL, response: httpx2.Response, url: str) -> httpx2.URL:
        try:
            there = address.join(response.headers.get("Location", ""))
        except httpx2.InvalidURL as failure:
            raise HubError("hub_bad_answer", url=url, detail=_reason(failure)) from failure
        own = httpx2.URL(self._url)
        same = (there.scheme, there.host, there.port) == (own.scheme, own.host, own.port)
        if not same and there.scheme != "https":
            raise HubError("hub_bad_answer", url=url, detail=f"{there.scheme}://{there.host}")
        return there


def _refuse(response: httpx2.Response, url: str) -> None:
    status = response.status_code
    if status in _THROTTLED:
        raise HubError("hub_throttled", url=url, seconds=response.headers.get("Retry-After", "?"))
    if status in _REFUSED:
        raise HubError("hub_refused", url=url, status=status)
    if status not in (_OK, _PARTIAL_CONTENT):
        raise HubError("hub_bad_answer", url=url, detail=status)
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise HubError("hub_bad_answer", url=url, detail=response.headers["Content-Encoding"])


def _whole(response: httpx2.Response, url: str) -> bytes:
    found = bytearray()
    for chunk in _chunks(response, url):
        found += chunk
        if len(found) > _LARGEST_ANSWER:
            raise HubError("hub_bad_answer", url=url, detail=f"> {_LARGEST_ANSWER}")
    return bytes(found)


def _chunks(response: httpx2.Response, url: str) -> Iterator[bytes]:
    try:
        # As they arrive: what waits in a buffer would be lost when the connection breaks.
        yield from response.iter_raw()
    except httpx2.HTTPError as failure:
        raise HubError("hub_unreachable", url=url, detail=_reason(failure)) from failure


def _reason(failure: Exception) -> str:
    return str(failure) or type(failure).__name__


def _starts_at(response: httpx2.Response, offset: int) -> bool:
    return re.match(rf"bytes {offset}-", response.headers.get("Content-Range", "")) is not None


def _model(name: str, answer: object) -> HubModel:
    if not isinstance(answer, dict) or not isinstance(answer.get("siblings"), list):
        raise ValueError("siblings")
    commit = str(answer.get("sha"))
    if not _GIT_ID.fullmatch(commit):
        raise ValueError("sha")
    files = tuple(file for entry in answer["siblings"] if (file := _file(entry)) is not None)
    return HubModel(name, commit, files, languages_of(answer.get("cardData")))


def _file(entry: object) -> HubFile | None:
    """Return a listed file; None for one without a size or a sum, which is never one that is needed."""
    if not isinstance(entry, dict):
        return None
    large = entry.get("lfs") if isinstance(entry.get("lfs"), dict) else {}
    path, size = entry.get("rfilename"), large.get("size", entry.get("size")) if isinstance(large, dict) else None
    sha256, blob = (large.get("sha256") if isinstance(large, dict) else None), entry.get("blobId")
    if not isinstance(path, str) or not isinstance(size, int) or isinstance(size, bool) or size < 0:
        return None
    return HubFile(
        path=path,
        size=size,
        sha256=sha256 if isinstance(sha256, str) and _SHA256.fullmatch(sha256) else None,
        # The id of a large file is that of the pointer that stands for it in git.
        blob_id=blob if not large and isinstance(blob, str) and _GIT_ID.fullmatch(blob) else None,
    )


def _is_right(path: Path, file: HubFile) -> bool:
    """Return whether a file on disk is the one that the hub promised."""
    try:
        if path.stat().st_size != file.size:
            return False
        with path.open("rb") as stream:
            if file.sha256 is not None:
                return hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256
            # What git calls a blob's id is the SHA-1 of its content behind a header.
            digest = hashlib.sha1(f"blob {file.size}\0".encode(), usedforsecurity=False)
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
            return digest.hexdigest() == file.blob_id
    except OSError as error:
        raise LyraError("model_unwritable", path=path, detail=error.strerror) from error
