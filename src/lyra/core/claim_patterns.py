"""What check-worthy sentences look like, in English and in Japanese."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one language.

    `predicates` add to a sentence's score and at least one must be there, `weaknesses` take from it, `refusals`
    rule it out; `dangling` matches an opening that points to an earlier sentence, after an optional `connective`.
    `frame_head` and `frame_tail` match the words around a reported statement ("Our results show that …"). With
    `reads_figures` the numbers and years of a sentence count, in whatever way they are written.
    """

    predicates: tuple[tuple[re.Pattern[str], float], ...]
    weaknesses: tuple[tuple[re.Pattern[str], float], ...]
    refusals: tuple[re.Pattern[str], ...]
    connective: re.Pattern[str]
    dangling: re.Pattern[str]
    frame_head: re.Pattern[str]
    frame_tail: re.Pattern[str]
    reads_figures: bool = False


def _any(alternatives: str) -> re.Pattern[str]:
    """Compile alternatives written over several lines; a blank in the source stands for white space in the text."""
    joined = "|".join(line.strip().replace(" ", r"\s+") for line in alternatives.strip().splitlines())
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)


def _all_of(alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(line.strip() for line in alternatives.strip().splitlines()), re.IGNORECASE)


_CAUSE_EN = _any(
    r"""
    (?:caus|reduc|induc|produc|enhanc|promot|prevent|inhibit|increas|decreas|lower|rais|improv|worsen)(?:e|es|ed|s)?
    (?:boost|impair|trigger)(?:s|ed)?
    (?:protect|affect|influenc|accelerat|slow|delay|suppress|mediat|damag|shorten|extend|strengthen|weaken|cur|treat)(?:e|es|ed|s)
    (?:lead|leads|led|contribut(?:e|es|ed)|rise|rises|rose|fall|falls|fell|grow|grows|grew|drop|drops|dropped)
    declin(?:e|es|ed)
    (?:regulat|activat|modulat|stimulat|requir|disrupt|alter|attenuat|eliminat|abolish|restor)(?:e|es|ed|s)
    (?:control(?:s|led)?|drives?|driven|drove|depend(?:s|ed)? on|plays? an? \w+ role|kill(?:s|ed)?|block(?:s|ed)?)
    result(?:s|ed)? (?:in|from)
    (?:due to|because of|owing to|responsible for|risk factors? for|leading cause|effects? (?:of|on)|impact (?:of|on))
    """
)
_FINDING_EN = _any(
    r"""
    (?:found|finds?|shows?|showed|shown|demonstrat(?:e|es|ed)|reveal(?:s|ed)?|indicat(?:e|es|ed)|confirm(?:s|ed)?)
    conclud(?:e|es|ed)
    (?:suggest(?:s|ed)?|report(?:s|ed)?|observ(?:e|es|ed)|predict(?:s|ed)?|estimat(?:e|es|ed)|account(?:s|ed)? for)
    remain(?:s|ed)?
    (?:associated|linked|correlat(?:e|es|ed)|related) (?:with|to)
    (?:significant|significantly|evidence|no (?:difference|effect|association|evidence|change))
    (?:effective|ineffective|safe|unsafe|harmful|harmless|toxic|beneficial|necessary|sufficient|resistant|immune|common|rare)
    """
)
_COMPARISON_EN = _any(
    r"""
    (?:more|less|fewer|greater|higher|lower|larger|smaller|better|worse|longer|shorter|older|younger|faster|slower|cheaper)
    (?:than|versus|vs|compared (?:with|to)|relative to|twice|thrice|half|doubl(?:e|es|ed)|tripl(?:e|es|ed)|outperform(?:s|ed)?)
    (?:exceed(?:s|ed)?|most|least|largest|highest|lowest|smallest|fastest|only|as \w+ as|similar to|equal to|\d+-fold|two-?fold)
    """
)
_QUANTITY_EN = re.compile(
    r"\d[\d,.]*\s*(?:%|per\s?cent\b|percentage|percentile|million|billion|trillion|thousand|fold|times|mg|kg|g\b|ml|km|cm|mm|°"
    r"|years?\b|months?\b|days?\b|hours?\b|patients?|people|cases|deaths|participants|dollars|yen|euros|points?\b)|[$€£¥]\s?\d|\bp\s*[<=>]|\bCI\b"
    r"|\b(?:hazard|odds|risk)\s+ratio|\b(?:one|two|four|nine)\s+(?:in|out\s+of)\s+\w+|\bmajority\b",
    re.IGNORECASE,
)
_METHOD_EN = _any(
    r"""
    we (?:also |then |further |first )?(?:recruited|enrolled|conducted|performed|used|measured|analy[sz]ed|aim(?:ed)?|examined)
    we (?:also |then |further |first )?(?:investigated|assessed|searched|included|excluded|randomi[sz]ed|collected|evaluated)
    we (?:also |then |further |first )?(?:compared|reviewed|sought|tested|propose|present|describe|developed|studied|obtained)
    we (?:also |then |further |first |have )?(?:selected|applied|thank|computed|calculated|generated|created|built|designed)
    (?:aims?|objectives?|purpose|goals?) (?:of|was|is|were|are)
    (?:was|were) (?:randomly |then |also )?(?:recruited|enrolled|randomi[sz]ed|assigned|collected|performed|conducted)
    (?:was|were) (?:randomly |then |also )?(?:extracted|searched|administered)
    (?:was|were) (?:calculated|computed|analy[sz]ed|evaluated|assessed|measured|approved) (?:using|by|with|from|for|at)
    """
)
_BOILERPLATE_EN = _any(
    r"""
    cookies?|all rights reserved|copyright|©|privacy policy|terms (?:of (?:use|service)|and conditions)|newsletter
    subscrib(?:e|er|ers|ing) (?:to|now|today|here)|click (?:here|on|the|below)|sign (?:up|in) (?:to|for|here|now)
    log ?in (?:to|here)
    read more|learn more|share this|follow us|contact us|download the|view (?:all|more)
    supplementary (?:material|data|information)
    (?:conflicts? of interest|competing interests?)|creative commons|corresponding author|peer review information
    see (?:also|figs?|tables?)
    """
)
_REPORTING_EN = re.compile(
    r"(?:(?:here|overall|together|collectively|taken together|in (?:conclusion|summary|this (?:study|paper|report))|thus"
    r"|therefore),?\s+)*"
    r"(?:we|our \w+|these (?:results|findings|data|observations|studies)|this (?:study|trial|work|analysis|review|meta-analysis)"
    r"|the (?:present |current )?(?:results?|findings?|data|authors?|study|trial|researchers|analysis)|researchers|studies)"
    r"\s+(?:[\w-]+\s+){0,3}?(?:find|finds|found|show|shows|showed|shown|demonstrates?|demonstrated|reveals?|revealed|indicates?"
    r"|indicated|confirms?|confirmed|concludes?|concluded|suggests?|suggested|reports?|reported|observed?|provides? evidence)"
    r"\s+(?:here\s+)?that\s+",
    re.IGNORECASE,
)
_NEVER = re.compile(r"(?!)")
_QUESTION = re.compile(r"[?？]")
_CITATION_ENTRY = re.compile(
    r"(?-i:^[A-Z][\w'-]+ [A-Z]{1,3}, [A-Z][\w'-]+ [A-Z]{1,3}[.,])|\b(?:19|20)\d\d;\s?\d|\bdoi:"
    r"|\bet al\.,? (?:19|20)\d\d\.|\bpp?\.\s?\d+[-–]\d+",
    re.IGNORECASE,
)

ENGLISH = Rules(
    predicates=((_CAUSE_EN, 0.25), (_FINDING_EN, 0.2), (_COMPARISON_EN, 0.15), (_QUANTITY_EN, 0.2)),
    weaknesses=(
        (re.compile(r"^(?:we|our)\b", re.IGNORECASE), 0.15),
        (_any(r"should|must|ought|believe|think|hope|feel|perhaps|arguably"), 0.2),
        (_any(r"may|might|could|possibly|potentially"), 0.05),
        (_any(r"unknown|unclear|lacking|poorly understood|not (?:well |fully )?(?:known|understood)|remains? to be"), 0.3),
        (re.compile(r"^[\"'“‘]"), 0.1),
        (re.compile(r"https?://|\bwww\."), 0.2),
        (re.compile(r"[^.!\"'”’)\]]$"), 0.1),
        (re.compile(r"^[a-z]+\b(?![A-Z0-9-])"), 0.1),
        (re.compile(r"^(?:however|moreover|furthermore|therefore|thus|also|but|and|in contrast)\b", re.IGNORECASE), 0.05),
        (_any(r"(?:study|article|paper|section|chapter) (?:describes|presents|discusses|examines)"), 0.2),
    ),
    refusals=(
        _QUESTION,
        re.compile(r"[:;]$"),
        _METHOD_EN,
        _BOILERPLATE_EN,
        _CITATION_ENTRY,
        re.compile(r"^(?:please|note that|see|click|let|consider|remember|imagine|table|figure|fig\.)\b", re.IGNORECASE),
        re.compile(r"\b(?:I|me|my|you|your)\b"),
    ),
    connective=re.compile(
        r"(?:however|moreover|furthermore|therefore|thus|hence|also|but|and|so|yet|additionally|in addition|in contrast"
        r"|by contrast|consequently|nevertheless|nonetheless|similarly|conversely|finally|overall|indeed|meanwhile"
        r"|for example|for instance|still)\b,?\s+",
        re.IGNORECASE,
    ),
    dangling=re.compile(
        r"(?:this|these|that|those|it|its|they|their|them|he|she|his|her|such|here|there|both|neither|our|which|another|others?"
        r"|the (?:latter|former|same|present|current|study|authors?|findings?|results?|paper|article|researchers|trial)"
        r"|as (?:such|above|a result)|(?:in|of|among|for|to|on|at|by|with|from) (?:this|these|those|our|it))\b",
        re.IGNORECASE,
    ),
    frame_head=_REPORTING_EN,
    frame_tail=_NEVER,
)

_NUMBER_JA = r"[0-9０-９一二三四五六七八九十百千]"
_FINDING_JA = _all_of(
    r"""
    示(?:され|した|して|す[。ことる])|示唆|明らか|認められ|確認(?:され|した)|報告(?:され|した)|判明
    [わ分]かっ(?:た|て)|観察され|関連(?:が|し|する|性)|相関|有意
    有効|無効|安全(?:で|性|な)|危険|有害|有益|必要で|不可欠|効果(?:が|は|を|的)|推定され|見込まれ|占め
    """
)
_CAUSE_JA = _all_of(
    r"""
    引き起こ|原因|要因|もたら[しす]
    (?:低下|増加|減少|上昇|改善|悪化|予防|抑制|促進|誘発|軽減)(?:し|す|さ|に|が|を|効果|率)
    (?:短縮|延長|阻害|拡大|縮小|向上|進行)(?:し|す|さ|に|が|を)
    高め|低め|減ら[しす]|減っ|増や[しす]|増え|防[ぐいげ]|影響(?:を|する|し)
    寄与|つなが[るりっ]|招[くいき]|起因|リスクを
    (?:上|下)[げが][らりるれっ]|(?:上|下)げる|半減|倍増|激減|急増|失わ|失[うい]|伸び|縮[まめ]|(?:強|弱|高|早|緩)ま[るりっ]
    抑え|和らげ|妨げ|促[しす]|損な[うい]|傷つけ|壊[しす]|助け|治[るりす]|(?:軽|重|良|悪|速|遅|短|長|硬|柔らか)く(?:する|なる|した|なった)
    """
)
# What happened, or is so, told plainly: an event, a rule, a kind, a property.
_EVENT_JA = _all_of(
    r"""
    (?:成功|失敗|開業|開通|廃止|設立|創設|創業|発明|発見|制定|施行|締結|成立|導入|中止|停止|禁止|禁じ|義務|指定|認可|承認|誕生|絶滅|出土)
    取り消|起[きこ][るりてた]|発生し|伝わ|伝え|建て[らた]|造ら|築[かい]|作られ|作[らっ]た|生まれ|滅[びん]|消え|現れ|訴え|始ま|始め[らた]|終[えわ]|広[まがめ]
    結ば|結ん|定め[らた]|記録し|達し|届[かい]|上る|及[びぶん]|超え|抜い|移[りっ]|使われ|用いられ|呼ばれ|含[まむん]|有[しす]|生息|分泌|感染|発症
    """
)
_KIND_JA = re.compile(
    "[はも][^。]{2,}(?:であ(?:る|った|り、)|だった|だ)[。．]?(?<!ものだ。)(?<!ことだ。)(?<!のだ。)(?<!はずだ。)(?<!わけだ。)(?<!ようだ。)(?<!そうだ。)$"
    "|[はも][^。]{4,}(?:さ|ら|わ|か|ま|た|れ)れ(?:る|た|ている|ていた)[。．]?$"
    "|[がはも][^。]{0,20}(?:高|低|多|少な|大き|小さ|長|短|強|弱|広|狭|早|遅|速|重|軽|安|深|浅|古|新し|硬|乏し|等し)"
    "(?:い|かった|くない|くなかった)[。．]?$"
    "|(?:にく|やす)(?:い|かった|くな)|[はも][^。]{3,}(?:する|できる|できない|ならない|しない)[。．]?$"
)
_COMPARISON_JA = _all_of(
    r"""
    より[^。、]{0,15}(?:高|低|多|少な|少し|大き|小さ|長|短|優|劣|良|悪|早|遅|速|涼し|暖か)[いくかけ]
    より[^。]{0,12}[0-9０-９]
    比べ|比較し(?:て|た)|比較すると|上回|下回|倍|最も|最大|最小|最高|最低|最多|同等|差(?:が|は)|ほど(?:高|低|多|少|大|小|長|短)
    率が(?:高|低)
    """
)
_QUANTITY_JA = re.compile(
    rf"{_NUMBER_JA}(?:[0-9０-９.,．，]*)\s?(?:%|％|パーセント|人|名|件|例|倍|割|万|億|兆|円|ドル|ポイント)"
    rf"|{_NUMBER_JA}(?:[0-9０-９.,．，]*)\s?(?:kg|mg|g|mL|km|cm|mmHg|℃|度|分|歳|回|時間|週|か月|ヶ月)|割合|半数"
)
_METHOD_JA = _all_of(
    r"""
    (?:を|について|に関して|も)(?:検討|調査|実施|解析|測定|評価|収集|比較|分析|検証|実験|抽出|算出)し(?:た|ました|ている)。?$
    (?:目的|対象)と(?:した|する|して|し、)|目的は|目的で
    用いて(?:解析|分析|測定|評価|検討)|(?:無作為|ランダム)に割り(?:付|当)
    検定(?:で|を|により)|標準偏差で示|を投与し、[^。]*(?:観察|測定|評価|比較)した|[0-9０-９]+[名人例]の(?:被験者|患者|参加者|対象者)(?:に|を|から)
    """
)
_BOILERPLATE_JA = _all_of(
    r"""
    著作権|無断(?:転載|複製)|転載を禁|会員登録|新規登録|ログイン|クッキー|cookie
    プライバシーポリシー|個人情報の取|利用規約|お問い?合わ?せ|メールマガジン|メルマガ
    クリック|こちら(?:から|へ|を|。)|続きを読む|関連記事|購読|All rights reserved
    最終更新|ダウンロード|アクセスランキング|お申し?込
    シェアする|フォロー(?:する|して)
    ください|下さい|ましょう|ご覧|お世話に|お願い(?:します|いた)|電話番号|当社は|イメージです|(?:小|大)さじ|(?:弱|中|強)火(?:で|に)
    について(?:は)?(?:次|後)の?(?:章|節|で)|(?:説明|確認|紹介)(?:する|しておく|します)[。．]?$|利益相反|謝辞|図[0-9０-９]+に示す|表[0-9０-９]+に示す
    """
)

JAPANESE = Rules(
    predicates=(
        (_CAUSE_JA, 0.25),
        (_FINDING_JA, 0.2),
        (_COMPARISON_JA, 0.15),
        (_QUANTITY_JA, 0.2),
        (_EVENT_JA, 0.1),
        (_KIND_JA, 0.1),
    ),
    weaknesses=(
        (re.compile("可能性|かもしれ|と考えられ|と思われ|とみられ"), 0.05),
        (re.compile("^(?:我々|われわれ|私たち|筆者|著者)"), 0.15),
        (re.compile(r"[^。．.」』）)！]$"), 0.15),
        (re.compile(r"https?://|www\."), 0.2),
        (re.compile("^「"), 0.05),
        (re.compile("^(?:しかし|また|さらに|一方|したがって|そのため|なお|ただし)"), 0.05),
    ),
    refusals=(
        _QUESTION,
        re.compile(r"(?:か|かな)[。．]?$|でしょうか|だろうか"),
        re.compile(r"[:：;；、]$"),
        _METHOD_JA,
        _BOILERPLATE_JA,
        _CITATION_ENTRY,
        re.compile(
            "べき(?:だ|で|と)|と思(?:う|い|っ)|ほしい|たい[。と]|ですね|もし|なんて|きっと|[！!]$|賛成(?:できない|だ)|ため息"
        ),
        re.compile(r"(?:私|僕|俺|あなた|皆さん)(?:は|が|の|も)"),
    ),
    connective=re.compile(
        "(?:しかし(?:ながら)?|また|さらに|一方(?:で)?|したがって|従って|そのため|このため|それゆえ|なお|ただし|例えば|たとえば"
        "|特に|実際に?|加えて|その結果|この結果)"
        "[、，,]?"
    ),
    dangling=re.compile(
        "これ|それ|あれ|この(?![0-9０-９数十]|半世紀)|その|あの|こう|そう|ここ|そこ|同(?:氏|社|研究|調査|時期|様に|論文|国|県|市|省)"
        "|本(?:研究|論文|稿|章|節|書|調査|試験|報告|剤|症例)|当(?:社|院|該|時)|前者|後者|彼|両者|以上|以下|上記|下記|前述|先述|いずれも|どちらも|次[にの]|まず|さて|[右左]の"
    ),
    frame_head=re.compile("(?:本|この|同)(?:研究|調査|試験|報告|論文)(?:の結果)?(?:では|により|から|によ(?:ると|れば))?[、，,]"),
    frame_tail=re.compile(
        "(?:とい(?:う|った))?(?:こと|の)が(?:示|明らか|[わ分]か|判明|確認|報告|示唆|認め)(?:(?!な[いかく]|ず|ませ)[^、，。]){0,12}[。．]?$"
    ),
    reads_figures=True,
)
