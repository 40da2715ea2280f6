"""A small web site: articles in several encodings, a PDF, walls, pages written by script, and an encyclopaedia."""

import io
from collections.abc import Callable

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tests.loopback.papers import PAPERS
from tests.loopback.server import Reply, Seen

_ARTICLE = """<!doctype html><html lang="{lang}"><head><meta charset="{charset}"><title>{title}</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>{title}</h1>{body}</article><footer>All rights imagined.</footer></body></html>"""

_BLOG = """<p>I have been drinking green tea for years, and I wanted to know what the research says about blood pressure.</p>
<p>The best study that I found gave adults three cups a day for eight weeks. According to
<a href="https://doi.org/10.5555/ijc.2021.0001">that randomised trial</a>, green tea lowered systolic blood pressure by about
three millimetres of mercury, which is a small but real change for people with mild hypertension.</p>
<p>Others are not convinced. A friend sent me <a href="/news/tea">a newspaper story</a> that tells of a longer trial without any
effect. I also like <a href="https://shop.example.org/teapots">these teapots</a>, although they have no effect on anything.</p>
<p>What I take from this is that green tea is a pleasant drink with a modest effect at best, and no replacement for
medicine.</p>"""

_NEWS = """<p>A twelve-month trial found that green tea extract did not lower systolic blood pressure in 410 adults,
researchers say.
The result, published under doi:10.5555/aim.2023.0007, disappoints those who had hoped for a simple remedy.</p>
<p>"We saw no difference between the groups at any visit," one of the authors said. Earlier studies had been smaller and shorter,
and most of them had used the drink rather than an extract in capsules.</p>"""

_JAPANESE = """<p>緑茶を毎日飲むと血圧が下がるという話は、多くの人が耳にしたことがあるだろう。
実際に調べた研究がいくつか発表されている。</p>
<p>高血圧の成人120人を対象にした無作為化比較試験では、緑茶を12週間飲んだ群で
収縮期血圧が2.8 mmHg低下した（doi:10.5555/kiz.2022.0021）。
ただし、効果は小さく、薬の代わりになるものではないと研究者は述べている。</p>
<p>一方、抽出物のカプセルを使った一年間の試験では、血圧に差は見られなかった。</p>"""

_WIKI = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Green tea - Loopedia</title></head><body>
<div id="content"><h1>Green tea</h1><div class="mw-parser-output">
<p>Green tea is a type of tea made from leaves that have not been withered or oxidised.<sup><a
href="#cite_note-1">[1]</a></sup> It is
drunk in many countries and has been studied for its effects on health for several decades.</p>
<p>Trials of green tea and blood pressure disagree: some found a small reduction,<sup><a href="#cite_note-2">[2]</a></sup>
while a long
trial of an extract found none.<sup><a href="#cite_note-3">[3]</a></sup> See also <a href="/wiki/Black_tea">black tea</a>.</p>
<h2>References</h2><div class="mw-references-wrap"><ol class="references">
<li id="cite_note-1"><a href="#ref1">^</a> <cite>Muster, O. "Tea drinking and hypertension". <a
href="https://doi.org/10.5555/ee.2019.0110">
doi:10.5555/ee.2019.0110</a>. PMID <a href="https://pubmed.ncbi.nlm.nih.gov/90000004/">90000004</a>.</cite></li>
<li id="cite_note-2"><a href="#ref2">^</a> <cite><a href="{site}/blog/tea">"My green tea"</a>. A blog.
<a href="https://web.archive.org/web/20240101000000/{site}/blog/tea">Archived</a>.</cite></li>
<li id="cite_note-3"><a href="#ref3">^</a> <cite>"Tea news". <a href="{site}/news/tea">The Loop</a>.</cite></li>
</ol></div></div></div></body></html>"""

_LOGIN = """<html><head><title>Sign in</title></head><body><h1>The Daily Loop</h1><p>Please sign in to continue reading.</p>
<form action="/login" method="post"><input name="user"><input type="password" name="password"><button>Sign
in</button></form></body></html>"""
_CAPTCHA = """<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>
<div class="cf-turnstile" data-sitekey="x"></div><script
src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script></body></html>"""
_SCRIPTED = """<html><head><title>Rendered</title></head><body><div id="root"></div><noscript>Please enable JavaScript.</noscript>
<script>fetch('/data.json').then(r => r.json()).then(d => {
document.getElementById('root').innerHTML = '<article><h1>Rendered</h1><p>' + d.text + '</p></article>';
});</script></body></html>"""
_SENTENCE = (
    "Green tea lowered blood pressure in a page that only a browser can show, written out by a script after it was loaded. "
)
_RESULTS = """<html><body><nav><a href="/help">Help</a></nav><div class="results">
<div class="result"><h2><a href="/l/?uddg={quoted}">My green tea</a></h2><span>What the research says about blood
pressure.</span></div>
<div class="result"><h2><a href="https://doi.org/10.5555/ijc.2021.0001">Green tea trial</a></h2><span>Three cups a
day.</span></div>
</div></body></html>"""


def article(title: str, body: str, lang: str = "en", charset: str = "utf-8") -> str:
    return _ARTICLE.format(title=title, body=body, lang=lang, charset=charset)


def pdf(*lines: str) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    for number, text in enumerate(lines):
        canvas.drawString(60, 780 - 16 * number, text)
    canvas.save()
    return buffer.getvalue()


def pages(site: str) -> dict[str, Reply]:
    """Everything that stands on the site at address `site`."""
    report = pdf(
        "Report on tea and health",
        "Drinking green tea every day was associated with lower blood pressure",
        "in eleven cohorts, as a pooled analysis (doi:10.5555/ee.2019.0110) has shown.",
        f"See also {PAPERS['p7'].title}, arXiv:2402.01234.",
    )
    html = "text/html"
    return {
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\nCrawl-delay: 0\n", media_type="text/plain"),
        "/blog/tea": Reply(article("My green tea", _BLOG).encode()),
        "/news/tea": Reply(article("Tea trial disappoints", _NEWS).encode()),
        "/ja/sjis": Reply(article("緑茶と血圧", _JAPANESE, "ja", "Shift_JIS").encode("cp932"), media_type=html),
        "/ja/euc": Reply(article("緑茶と血圧", _JAPANESE, "ja", "EUC-JP").encode("euc_jp"), media_type=html),
        "/ja/undeclared": Reply(
            article("緑茶と血圧", _JAPANESE, "ja", "").encode("euc_jp"), media_type=f"{html}; charset=EUC-JP"
        ),
        "/wiki/Green_tea": Reply(_WIKI.replace("{site}", site).encode()),
        "/report.pdf": Reply(report, media_type="application/pdf"),
        "/members": Reply(_LOGIN.encode()),
        "/challenge": Reply(_CAPTCHA.encode(), 503),
        "/private/notes": Reply(article("Private", "<p>Not for robots.</p>").encode()),
        "/scripted": Reply(_SCRIPTED.encode()),
        "/data.json": Reply(f'{{"text": "{_SENTENCE * 4}"}}'.encode(), media_type="application/json"),
        "/archive.zip": Reply(b"PK\x03\x04" + bytes(60), media_type="application/zip"),
        "/find": Reply(_RESULTS.replace("{quoted}", "https%3A%2F%2Fblog.example.org%2Ftea").encode()),
        "/moved": Reply(b"", 302, headers={"Location": "/blog/tea"}),
    }


def answering(site: Callable[[], str]) -> Callable[[Seen], Reply]:
    """The site; its own address is only known when its server runs."""

    def answer(seen: Seen) -> Reply:
        return pages(site()).get(seen.path, Reply(b"<html><body>Nothing here.</body></html>", 404))

    return answer
