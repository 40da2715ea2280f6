"""Recognising a login wall or a CAPTCHA: pages that stand in front of the page."""

import re

from lyra.core.pages import Wall

_DENIED = frozenset({401, 403, 407, 429, 503})
_UNAUTHORISED = 401
# A page that says this much for itself is a page, even if it has a form to log in or a CAPTCHA for comments.
_SHORT_TEXT = 700
_SAMPLE_BYTES = 400_000
_CHALLENGES = re.compile(
    r"cf[-_]chl|challenge-platform|captcha-delivery\.com|px-captcha|g-recaptcha|h-captcha|hcaptcha\.com|cf-turnstile"
    r"|recaptcha/api|geetest|arkoselabs|_Incapsula_Resource|awswaf",
    re.IGNORECASE,
)
_CHALLENGE_WORDS = re.compile(
    r"verify (?:that )?you are (?:a )?human|are you a robot|not a robot|unusual traffic|just a moment\.\.\.|complete the captcha"
    r"|checking your browser|security check to access|ロボットでは(?:ない|ありません)"
    r"|人間であることを確認|画像認証|通常と異なるトラフィック",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r"<input\b[^>]{0,300}\btype\s*=\s*[\"']?password", re.IGNORECASE)
_LOGIN_WORDS = re.compile(
    r"(?:log|sign)[ -]?in (?:to (?:continue|read|view|access|your)|required|with your)|please (?:log|sign) in|subscribers? only"
    r"|(?:create|register for) (?:a|an|your) (?:free )?account to|access through your institution"
    r"|ログインして(?:ください|続ける|読む)|ログインが必要|会員(?:限定|登録が必要)|有料会員|続きを読むには",
    re.IGNORECASE,
)
_NOT_FREE = re.compile(r"[\"']isAccessibleForFree[\"']\s*:\s*(?:false|[\"']false[\"'])", re.IGNORECASE)
_LOGIN_PATH = re.compile(r"/(?:log-?in|sign-?in|sso|auth(?:enticate)?|accounts?/login|wayf)(?:[/?.]|$)", re.IGNORECASE)
_MARKUP = re.compile(r"<(script|style|noscript|template)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)


def find_wall(status: int, url: str, html: str, text: str | None) -> tuple[Wall, str] | None:
    """Return which wall stands before a page, and the sign it is known by; None for a page.

    `text` is the main text that was read from it, None where there was none. Without it the visible words are counted.
    """
    words = " ".join(_MARKUP.sub(" ", html).split()) if text is None else text
    short = len(words) < _SHORT_TEXT
    visible = " ".join(_MARKUP.sub(" ", html[:200_000]).split())
    for wall, found in (
        (Wall.CAPTCHA, _challenge(status, html, visible, short)),
        (Wall.LOGIN, _login(status, url, html, visible, short)),
    ):
        if found:
            return wall, found[:80]
    return None


def is_challenge(status: int, body: bytes) -> bool:
    """Return whether an answer is a wall, so that asking again changes nothing."""
    html = body[:_SAMPLE_BYTES].decode("utf-8", "replace")
    return bool(html) and find_wall(status, "", html, None) is not None


def _challenge(status: int, html: str, visible: str, short: bool) -> str | None:
    if not short:
        return None
    mark, phrase = _CHALLENGES.search(html), _CHALLENGE_WORDS.search(visible)
    if phrase or (mark and status in _DENIED):
        return (phrase or mark or [""])[0]
    # A mark alone on an ordinary page is a comment form, unless there is nothing else on it.
    return mark[0] if mark and len(visible) < _SHORT_TEXT // 2 and not _PASSWORD.search(html) else None


def _login(status: int, url: str, html: str, visible: str, short: bool) -> str | None:
    if status == _UNAUTHORISED:
        return "401"
    if not short:
        return None
    password, phrase = _PASSWORD.search(html), _LOGIN_WORDS.search(visible)
    if phrase and (password or status in _DENIED or len(visible) < _SHORT_TEXT or _NOT_FREE.search(html)):
        return phrase[0]
    if password and (_LOGIN_PATH.search(url) or len(visible) < _SHORT_TEXT // 2):
        return "password"
    return "isAccessibleForFree" if _NOT_FREE.search(html) else None
