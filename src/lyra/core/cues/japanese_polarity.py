"""What a Japanese clause denies, how sure it is, and of how many it speaks."""

import re
from dataclasses import dataclass
from enum import IntEnum

from lyra.core.cues.japanese_words import poles

# Looks like a denial and is none.
_NO_DENIAL = re.compile(
    "かもしれない|かもしれなかった|に違いない|にちがいない|だけではな[いくか]|だけでな[いく]|のみならず|ざるを得な[いか]"
    "|なければならな[いか]|なければいけな[いか]|なくてはならな[いか]|ないといけな[いか]|に(?:過ぎ|すぎ)な[いか]|にほかならな[いか]"
    "|間もな[いく]|まもなく|やむを得な[いか]|もったいな[いか]|少な[いくかけさ]|危な[いくか]|切な[いく]|欠かせな[いか]|しかな[いか]"
    "|にもかかわらず|関わらず|かかわらず|(?:では|で)なく(?=[、一-龥ァ-ヶ])|ではないか|じゃないか|なくなく|ないし(?=[、ァ-ヶ一-龥])|思いがけな[いく]|絶え間な[いく]|限りな[いく]|ほかな[いくら]|否めな[いか]"
)
_ONLY = re.compile("しか(?=[^、。]*(?:ない|なかった|ず|ません))")
_DENIAL = re.compile(
    "(?<![少危切く])な(?:い|く(?!な[っりるら])|かっ|けれ|し(?=に|で|の|、|。|$))|なくな[っりるら]|ませ(?:ん|ぬ)"
    "|(?<=[らかさたなまわがばせえけげれめべてでねきいりみじち])ず(?=$|に|、|と|[一-龥ァ-ヶ])|(?<=[らかさたまわ])ぬ(?=$|[一-龥])|皆無|あり得な|ありえな"
    "|できな[いかく]|まい(?=$)"
)
_DENYING_PREFIX = re.compile("未(?:[確解達完実検公][一-龥])|不(?:可能|成立|成功|十分|合格|参加|採用|起訴)|無(?:関係|効(?!果音))|非(?:公開|該当)")
# Denial of a denial, or of everything: what stays is "some do" or "not all do".
_DOUBLE = re.compile("な[いか](?:った)?(?:という)?(?:わけ|こと|もの)(?:では|も|は|じゃ)(?:な[いか]|ありませ)|な[いか](?:った)?とは(?:いえ|言え|限ら|言い切れ)な[いか]|ないでも(?:な[いか])|ず(?:に)?(?:は|には)(?:いな|いられな|おかな|すまな)")
_NOT_SURE = re.compile(
    "とは(?:いえ|言え|言い切れ|いいきれ|限ら|かぎら|断定でき|断言でき)な[いか]|わけでは(?:な[いか]|ありませ)|わけじゃな[いか]|とは言い難|とは限りませ"
)
_NO_MEMBER = re.compile(
    "(?:者|人|例|店|社|国|地区|年|ところ|もの|こと|日|家庭|世帯|学校|大学|患者|選手|生徒|学生|会社|企業|[一-龥ァ-ヶー]+)"
    "(?:は|が|も|など)?(?:一[人つ社件例度校軒名匹]も|1[人つ社件例度校軒名匹]も|誰も|まったく|全く|ほぼ)?(?:い|お|あ|存在し)?"
    "(?:ない|なかった|ません|らず|りませんでした)"
)
_HEDGE = re.compile(
    "可能性|かもしれ|示唆|恐れ|おそれ|とみられ|と見られ|と考えられ|と推定|と推測|推定され|らしい|だろう|でしょう|ようだ|ようである|見込み|見通し"
    "|予想(?:され|して)|期待され|疑い|とみてい|うかがえ|うかがわれ|否定できな|必ずしも|言い切れ|限らな|懸念|一因|かどうか|とされる|傾向"
    "|さらに検証|さらなる|予備的|今後の|おそらく|恐らく|たぶん|確かでな|確実ではな|余地|みている|見ている|否定されていな|得る$|うる$"
)
_UNKNOWN = re.compile("(?:分か|わか|判明し|解明され|明らかになっ|はっきりし|知られ|調べられ|確かめられ|確認され|検証され|決まっ|証明され)(?:って|て|らな)?(?:はいな|いな|おら|な)|不明|未確認|未解明|未定|意見が分かれ|一致していな|かどうか|答えなかっ")
_CERTAIN = re.compile("証明|立証|確実|必ず|断定|断言|明らかになっ|明らかにし|確認された|確かめられた|間違いな|疑いな|完全に|一致してい|ことが分か|常に|決して|絶対")
_NULL = re.compile(
    "差(?:は|が|も|異は|異が)?(?:な[いくかし]|認められな|みられな|見られな|出な|生じな|見いだせな)|有意差(?:は|が)?(?:な|認められず|みられず)|変わ(?:ら(?:な|ず|ぬ)|りな|っていな)"
    "|変化(?:は|が|も)?(?:な[いくかし]|みられな|見られな|認められな|しな)|同じ(?:だ|で|程|く|ま)|同程度|同等|等し|影響(?:は|が|を|も)?(?:な[いくかし]|しな|受けな|与えな|及ぼさな|みられな)"
    "|効果(?:は|が|も)?(?:な[いくかし]|みられな|認められな|乏し|確認されな)|(?:関連|相関|関係)(?:は|が|も)?(?:な[いくかし]|みられな|認められな|見られな|しな|見いだ)|有意で(?:は)?な|据え置|横ばい|無関係|効か(?:な|ず)"
)


class Share(IntEnum):
    """Of how many a sentence speaks."""

    NONE = 0
    FEW = 1
    SOME = 2
    PLAIN = 3
    MOST = 4
    ALL = 5


_SHARES = (
    (Share.ALL, re.compile("すべて|全て|全員|全部|全社|全国の|いずれも|どの[^、]*も|皆(?!無)|みな(?=[、一-龥ァ-ヶ])|あらゆる|必ず|例外なく|毎(?:年|日|回)|ことごとく|軒並み")),
    (Share.MOST, re.compile("ほとんどの|ほとんどが|大半|過半数|大多数|多くの|の多く|多くは|多くが|大部分|ほぼすべて|ほぼ全|たいてい|主に|半数以上|ことが多")),
    (Share.FEW, re.compile("ほとんど(?!の|が)[^、]*(?:な[いか]|ず)|少数|わずか|ごく一部|まれ|稀|少ない$|少なかった$|にとどま|に(?:過|す)ぎな|一握り|めったに|あまり[^、]*な[いか]|しか[^、]*な[いか]")),
    (Share.SOME, re.compile("一部|何人か|いくつか|中には|もいる|もいた|もある|もあった|(?:者|人|例|国|店|社|年|日|ところ|生徒|患者)がい[るた]|(?:例|年|店|国|地区|ところ|会社)があ[るっ]|ことがあ[るっ]|ことも(?:あ[るっ]|でき)")),
)
_RELATIVE = re.compile("(?:(?:ない|なかった|[たるいう]))(?:者|人|例|店|社|国|地区|年|ところ|もの|こと|[一-龥ァ-ヶー]{1,6})(?:は|が|も)[^、]*$")


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a text says of its predicate: of how many, and whether it holds of them."""

    share: Share
    holds: bool
    denials: int
    double: bool
    hedged: bool
    unknown: bool
    null: bool


def denials(text: str) -> int:
    """Return how many denials a folded text holds; what only looks like one does not count."""
    plain = _ONLY.sub("", _NO_DENIAL.sub("", text)) if not _ONLY.search(text) else _drop_only(text)
    return len(_DENIAL.findall(plain)) + len(_DENYING_PREFIX.findall(plain))


def _drop_only(text: str) -> str:
    # しか…ない is "only", no denial: the first denial behind しか belongs to it.
    plain = _NO_DENIAL.sub("", text)
    place = plain.find("しか")
    return plain if place < 0 else plain[:place] + _DENIAL.sub("", plain[place:], count=1)


def polarity(text: str) -> Polarity:
    """Return the polarity of a folded clause or sentence."""
    count = denials(text)
    double = _DOUBLE.search(text) is not None
    not_sure = not double and _NOT_SURE.search(text) is not None
    share = next((share for share, pattern in _SHARES if pattern.search(text)), Share.PLAIN)
    holds = count % 2 == 0
    relative = _RELATIVE.search(text) is not None
    without = _NO_DENIAL.sub("", text)
    if double:
        share, holds = (Share.SOME, True)
    elif not_sure:
        share, holds = Share.SOME, count >= 2  # noqa: PLR2004 - 全員がしたわけではない: some did not
    elif relative and _NO_MEMBER.search(without):
        inner = count - 1
        few = re.search("ほとんど|めったに", text) is not None
        share, holds = (Share.MOST if few else Share.ALL), inner % 2 == 1
    elif relative and share is Share.FEW:
        inner = count - (1 if re.search("ほとんど[^、]*(?:な[いか])", text) else 0)
        share, holds = Share.MOST, inner % 2 == 1
    elif share is Share.FEW and re.search("ほとんど|あまり|めったに", text):
        share, holds = Share.MOST, False
    return Polarity(
        share,
        holds,
        count,
        double,
        _HEDGE.search(text) is not None or not_sure,
        _UNKNOWN.search(text) is not None,
        _NULL.search(text) is not None,
    )


def is_certain(text: str) -> bool:
    """Return whether a text says that something is proved, or always so."""
    return _CERTAIN.search(text) is not None


def leanings(text: str) -> dict[str, float]:
    """Return for each scale that a folded text speaks of where it leans: 1.0 up, -1.0 down.

    The last word of a scale counts, turned round by every denial behind it (遅れていない所は少ない is twice denied).
    """
    found: dict[str, float] = {}
    wrapped = _FEW_OF_THEM.search(text)
    read = _HOW_MANY.sub("", text[: wrapped.start(1)] if wrapped else text)
    for scale, patterns in poles().items():
        matches = [(match, sign) for pattern, sign in zip(patterns, (1.0, -1.0), strict=True) for match in pattern.finditer(read)]
        if matches:
            # Of two that end together the longer is meant: 不可能, not 可能.
            match, sign = max(matches, key=lambda one: (one[0].end(), len(one[0].group())))
            found[scale] = sign * _turned(read, _behind(match)) * (-1.0 if wrapped else 1.0)
    return found


_FEW_OF_THEM = re.compile("[たいるう][一-龥ァ-ヶー]{1,8}(?:は|が)((?:ごく)?(?:少な|少数|まれ|稀|わずか|ほとんどな|ほとんどいな))")
_HOW_MANY = re.compile("多くの|の多く(?=[はがに])|多くは|多くが|(?<=[たるい])[一-龥ァ-ヶー]{1,8}[がは]多(?:い|かった)$")


def _behind(match: re.Match[str]) -> int:
    """Return from where denials of a word of a scale count: a denial that is part of the word (届かない) does not."""
    word = match.group()
    if word[0] in "不無未非":
        return match.end()
    return match.end() + 1 if word[-1] in "なず" and not word.startswith("少") else match.start()


def _turned(text: str, start: int) -> float:
    behind = text[start:]
    if _DOUBLE.search(behind):
        return 1.0
    return -1.0 if denials(behind) % 2 else 1.0
