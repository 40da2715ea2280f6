"""The words of the report: titles, labels and standing sentences, in Japanese as the template has them."""

from lyra.reports.model import FactCheck

REPORT_TITLE = "競争優位性評価レポート"
SUMMARY = "評価サマリー"
DISTRIBUTION = "確信度分布"
FACT_CHECKS = "ファクトチェック結果サマリー"
CAGR_SUMMARY = "CAGR接続サマリー"
CAGR_CLASSES = "構造的 vs 補完的の区分"
CAGR_ASSESSMENT = "CAGR接続の全体評価"
WARNINGS = "警鐘事項"
SOURCES_CHECKED = "①/②区別の確認"
WARNING_ASSESSMENT = "既存判断への警鐘"
FEEDBACK = "全体フィードバック"
METADATA = "メタデータ・技術情報"

RATING = "AI評価"
CAGR = "CAGR接続"
EVIDENCE = "根拠（アナリストレポートより）"
RULES = "ルール適用結果"
VERIFICATION = "検証結果"

HEADER = ("項目", "値")
TARGET = "対象銘柄"
COUNTS = "主張数"
SUMMARY_HEAD = ("#", "優位性", "AI確信度", "CAGR接続", "CAGR確信度")
DISTRIBUTION_HEAD = ("確信度", "AI評価", "KY基準値", "判定")
CAGR_HEAD = ("パラメータ", "AI確信度", "コメント")
RULES_HEAD = ("ルール", "判定", "根拠")
SECTION_4_HEAD = ("#", "CAGR接続", "区分", "寄与パラメータ", "AI確信度", "ソース優位性")
WARNINGS_HEAD = ("#", "主張", "ソース", "警戒レベル")

NONE = "なし"
NOTHING = "—"
NOT_SAID = "記載なし"
NOT_EVALUATED = "未評価"
OK, ANOMALOUS = "OK", "要確認"
ONLY_THESE_RULES = "※ 該当ルールのみ記載。"
NO_RULES = "該当するルールはありません。"
NO_CONNECTIONS = "この主張につながるCAGR接続はありません。"
NO_QUARTERLY = "②四半期レビュー由来の主張はありません。"
QUARTERLY_BLOCK = (
    "> ⚠️ この主張は四半期レビュー（②）から抽出されました。",
    "> 期初レポート（①）での妥当性を再検討してください。",
)
QUARTERLY_SOURCE = "②四半期レビュー"
WARNING_LEVEL = "⚠️ 拡大解釈の可能性"
FACT_CHECK = "ファクトチェック"
PATTERNS = "パターン照合"
HIGH, REJECTED = "高評価", "却下"
PRECEDENCE = "優先順位"
REJECTION_FIRST = "却下優先"
ANNOTATION = "[⚠️ T8修正]"

DATA_SOURCES = "SEC EDGAR (MCP), アナリストレポート, 業界分析"
REPORT_TYPES = {"initial": "①期初投資仮説レポート", "quarterly": "②四半期継続評価レポート"}
REPORT_TYPES_SHORT = {"initial": "①期初", "quarterly": "②四半期", "mixed": "混合"}
CLASSES = {"structural": "構造的", "complementary": "補完的"}
STATUS_SENTENCES = {
    FactCheck.VERIFIED: "根拠となる事実は資料で確認できました。",
    FactCheck.CONTRADICTED: "根拠となる事実が資料と食い違っています。",
    FactCheck.UNVERIFIABLE: "確認できる資料が見つかりませんでした。",
    FactCheck.NOT_CHECKED: "ファクトチェックはまだ行われていません。",
}
READING_HELP = (
    "> **読み方**: 確信度は、その主張にどれだけ納得できるかを 10%（却下）から 90%（かなり納得）までの5段階で表します。",
    "> KY基準値は、人間のアナリスト（KY）が過去に付けた確信度の割合で、15ポイント以上離れた行に「要確認」と記します。",
    "> ①は期初の投資仮説レポート、②は四半期の継続評価レポートです。CAGR接続は、その優位性が年平均成長率にどう効くかを示します。",
    "> パターンは、過去の評価から取り出した高評価（I〜V）と却下（A〜G）の型です。",
)

# What an adverse judgement of the five layers says, where no rule result says it: rule → value → sentence.
ADVERSE = {
    1: {"result": "結果の記述にとどまり、それを生む能力や仕組みが示されていません。"},
    2: {"fail": "優位性を名詞で言い表せていません。"},
    3: {"fail": "競合も同じことができるかが検証されておらず、相対的な優位と言えません。"},
    4: {"absent": "数値による裏付けがありません。"},
    7: {"absent": "純粋競合（同じ土俵の競合）との比較が不足しています。"},
    8: {"strategy": "会社の戦略の説明であり、優位性そのものではありません。"},
    9: {"fail": "前提とした事実に誤りがあります。"},
    10: {"absent": "優位が働かなかった事例（反例）の検討がありません。"},
    11: {"weak_fit": "業界構造との合致が弱いです。", "absent": "業界構造の分析がありません。"},
}
NOUN_FORM = "名詞形の案:「{label}」"

# Two spaces at the end of a line keep the next one below it.
_BREAK = "  "
CONVICTION_FORM = f"""---

**納得度:**  10% / 30% / 50% / 70% / 90%  ← 丸をつける

**該当する質問に一言お願いします（1文で十分です）:**
- 納得しない場合 → 一番引っかかる点は？
- どちらとも言えない場合 → 何があれば納得度が上がる？
- 納得する場合 → 他の企業でも同じことが言えない理由は？

回答:


**この指摘は他の銘柄にも当てはまりますか？（任意）**{_BREAK}
□ はい → KB追加候補として記録{_BREAK}
□ いいえ → この銘柄固有の判断{_BREAK}
□ わからない

**補足（任意）:**


---"""

OVERALL_FORM = f"""## {FEEDBACK}

**レポート全体として、あなたの考え方に沿った議論ができていますか？**{_BREAK}
□ 概ね沿っている  □ 部分的に沿っている  □ 沿っていない

**最も良かった主張の番号:**  #___{_BREAK}
**最も問題のある主張の番号:**  #___

**全体的な印象（自由記述）:**


**AIの評価で最も違和感のある点（1文で十分です）:**
"""


def unmarked(text: str) -> str:
    """Return a text without the annotation of a correction at its end."""
    return text.partition(ANNOTATION)[0].rstrip()
