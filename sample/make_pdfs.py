"""Write the PDF documents of the sample library.

Run ``python sample/make_pdfs.py`` (needs reportlab).  The output is
deterministic: running the script again changes no byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
)

LIBRARY = Path(__file__).resolve().parent / "library"
NEW_PAGE = "<new page>"
MARGIN = 25 * mm
FOOTER = {
    "en": "Illustrative document. Organisations, authors and figures are invented.",
    "ja": "例示用の文書です。団体、著者、数値はすべて架空のものです。",
}


@dataclass(frozen=True)
class Document:
    """One PDF: a title block, then headings (``# …``) and paragraphs set apart by blank lines."""

    name: str
    language: str
    title: str
    authors: str
    source: str
    url: str
    body: str

    @property
    def blocks(self) -> list[str]:
        """The headings and paragraphs, each as one line."""
        glue = "" if self.language == "ja" else " "
        return [glue.join(block.splitlines()) for block in self.body.strip().split("\n\n")]


DOCUMENTS: tuple[Document, ...] = (
    Document(
        name="coffee-habitual-drinkers.pdf",
        language="en",
        title="Sleep after evening coffee in long-term daily drinkers",
        authors="N. Example, Y. Mockup",
        source="Example University Reports in Sleep Science, October 2020.",
        url="https://doi.org/10.5555/exu.2020.118",
        body="""
# Abstract

Trials of coffee and sleep usually recruit students who drink little coffee. We asked whether their
results apply to people who have drunk several cups a day for many years.

# Methods

Thirty-six adults aged 45 to 68 who had drunk at least three cups of coffee a day for ten years
spent six nights in our laboratory. At 7 p.m. they were given two cups of coffee on three of the
nights and two cups of decaffeinated coffee on the others, in random order. Neither the participants
nor the staff knew which was which.

# Results

In these daily drinkers, evening coffee did not shorten sleep: they slept 6 hours and 52 minutes
after coffee and 6 hours and 53 minutes after decaffeinated coffee. The time needed to fall asleep
was also the same. Participants could not tell better than by chance which kind they had been given.

# Discussion

Our findings suggest that people who drink coffee every day become tolerant to its effect on sleep.
Six nights are a short time, and we did not look at the depth of sleep. The participants were paid
for their time and lived close to the university.
""",
    ),
    Document(
        name="coffee-atrial-fibrillation.pdf",
        language="en",
        title="Coffee consumption and atrial fibrillation in 21,400 adults",
        authors="Z. Placeholder, H. Specimen, L. Sample",
        source="Illustrative Heart Rhythm Reports, March 2021.",
        url="https://doi.org/10.5555/hrr.2021.052",
        body="""
# Background

Patients with an irregular heartbeat are often told to give up coffee. The advice is old, and the
evidence behind it is thin.

# Methods

We followed 21,400 adults without heart disease for an average of eleven years. Coffee consumption
was recorded at the start and again every three years. New cases of atrial fibrillation were taken
from hospital records and checked by two cardiologists.

# Results

Atrial fibrillation was diagnosed in 1,189 participants. Adults who drank coffee every day were no
more likely to develop atrial fibrillation than adults who never drank it. Even among people who
drank five or more cups of coffee a day, the risk of atrial fibrillation was not raised. Age, high
blood pressure and alcohol were clearly related to the condition.

# Limits

Participants reported their own consumption, and tea and energy drinks were not counted. We did not
ask at what time of day coffee was drunk, nor did we record sleep.

# Conclusion

Healthy adults need not avoid coffee for fear of atrial fibrillation.
""",
    ),
    Document(
        name="trees-heat-report.pdf",
        language="en",
        title="Heat in the City of Sampleton: monitoring report for summer 2023",
        authors="City of Sampleton, Office for the Environment",
        source="Report 4/2023, December 2023.",
        url="https://city.example.org/reports/heat-2023",
        body="""
# Summary

Since 2021 the city has measured air temperature at 64 places, at a height of two metres and
protected from direct sunlight. This report describes the third summer, which had 31 days above 30
°C.

# Streets

On the twelve hottest days of the summer, tree-lined streets were on average 1.9 °C cooler at 3 p.m.
than comparable streets without trees. The hottest place in the city was again Station Square, where
there is not a single tree within 80 metres. Light paving alone, which was laid in Harbour Road in
2022, made no measurable difference to the temperature of the air.

# Parks

Parks of more than two hectares were 2.6 °C cooler in the afternoon than the built-up blocks around
them. The cooling reached about 150 metres into the neighbouring streets. Small lawns without trees
were as hot as the surroundings.

<new page>

# Nights

Nights were warm everywhere. At 4 a.m. the difference between tree-lined and treeless streets was
below 0.2 °C, which is within the accuracy of our instruments. Districts near the river were the
coolest, districts with much traffic the warmest.

# Complaints and services

The heat telephone received 412 calls, most of them from people over 70 who live alone. Eleven
drinking fountains were added in June, and the public library offered a cool room on 19 afternoons.

# Next steps

Sensors will be added in the two districts that were built after 2015. The office recommends
planting at least 60 trees around Station Square and will report on the costs in spring. Readings
can be downloaded from https://data.example.org/heat.
""",
    ),
    Document(
        name="week-manufacturing-study.pdf",
        language="en",
        title="Shorter weeks on the shop floor: output of eight plants before and after",
        authors="D. Placeholder, B. Mockup",
        source="Placeholder Institute of Work Studies, Discussion Papers, February 2023.",
        url="https://doi.org/10.5555/pws.2023.027",
        body="""
# Question

Most reports on the four-day week come from offices. We studied eight plants that make furniture,
packaging and machine parts and that changed from five to four working days in 2020 or 2021. Hours
fell from 38 to 32 a week and pay stayed the same.

# Data

The plants gave us their production records for two years before and one year after the change. For
comparison we used 21 plants of the same industries that did not change their hours.

# Results

Weekly output fell by 17 percent in the plants that introduced the four-day week. After the change
to four days, productivity, measured as units per hour worked, declined by 2 percent. Machines stood
still longer, because warming up and cleaning took as much time on four days as on five.

The number of accidents did not change. Energy use per week went down by 9 percent. It became easier
to fill vacant posts, above all on the late shift.

# Conclusion

Where the pace is set by machines, a four-day week does not make workers more productive. Two of the
eight plants have since returned to five days.
""",
    ),
    Document(
        name="vitd-pooled-analysis.pdf",
        language="en",
        title="Vitamin D for the prevention of colds: a pooled analysis of 31 trials",
        authors="A. Placeholder, Q. Example",
        source="Illustrative Evidence Reviews, August 2022.",
        url="https://doi.org/10.5555/ier.2022.118",
        body="""
# Background

Vitamin D is widely sold as a protection against colds. Earlier summaries disagreed, partly because
they included one influential trial that has since been retracted
(https://doi.org/10.5555/cnm.2016.066).

# Methods

We collected all randomised trials that compared vitamin D with a placebo and counted respiratory
infections. Thirty-one trials with 41,600 participants were included. The retracted trial was left
out.

# Results

Vitamin D supplements made no difference to the risk of catching a cold: there were 0.98 infections
in the vitamin D groups for every infection in the placebo groups. Vitamin D did not make colds
shorter either.

In a small group of 870 people with a severe deficiency, supplements were followed by slightly fewer
infections, but the result rests on three old trials and may be due to chance.

# Conclusion

For people without a deficiency, vitamin D is of no use against colds. We did not examine bones,
muscles or mood.
""",
    ),
    Document(
        name="telework-field-experiment-en.pdf",
        language="en",
        title="Working from home and the number of completed tasks: a field experiment",
        authors="S. Example, K. Sample",
        source="Placeholder Institute of Work Studies, Discussion Papers, June 2021.",
        url="https://doi.org/10.5555/pws.2021.033",
        body="""
# Setting

A travel agency allowed 612 employees in its booking department to work from home three days a week.
Because there was equipment for only half of them in the first year, places were drawn by lot. This
let us compare two groups that differed in nothing but the place of work.

# Results

Employees who worked from home completed 6 percent more bookings per day than colleagues who came to
the office. The quality of their work, judged from recorded calls, was the same. They took fewer
breaks and fewer days of sick leave.

Working from home saved each employee 64 minutes of travel on an average day. About half of that
time was spent on sleep, and the rest on family and chores.

Employees at home felt lonelier than colleagues in the office, and a third of them chose to return
when the year was over. Promotion rates did not differ.

# Limits

Booking is individual work that can be counted. The experiment says little about work in teams or
about the training of new employees.
""",
    ),
    Document(
        name="bp-genen-shiken.pdf",
        language="ja",
        title="減塩食が血圧に与える影響―地域住民を対象とした無作為化比較試験",
        authors="標本 三郎、例示 一郎",
        source="見本栄養学雑誌 2018年9月",
        url="https://doi.org/10.5555/mihon.2018.021",
        body="""
# 目的

食塩のとり過ぎは血圧を上げる要因の一つとされる。本試験では、例示県の住民を対象に、家庭で続け
られる減塩によって血圧が下がるかどうかを調べた。

# 方法

40歳から79歳の住民342人を、減塩食の群と普段どおりの食事の群に無作為に分けた。減塩食の
群には、栄養士が調理の工夫を教え、食塩の量を1日6グラム未満にするよう勧めた。期間は6か月で、
食塩の摂取量は尿の検査で確かめた。

# 結果

6か月後、減塩食の群では収縮期血圧が平均5.8mmHg下がったのに対し、普段どおりの食事の群
では変化がなかった。減塩による血圧の低下は65歳以上の人で大きく、平均8.1mmHgであった。40代で
は3.2mmHgの低下にとどまった。

減塩食の群のうち、試験が終わった後も減塩を続けたいと答えた人は78％であった。体重と脈拍には、
両群の間に差がなかった。

# 結論

家庭での減塩は、中高年の血圧を下げるのに有効である。味の好みがどのように変わるかは、今後の課
題とする。
""",
    ),
    Document(
        name="bp-genen-jakunen.pdf",
        language="ja",
        title="血圧が正常な若年者における減塩の影響―8週間の試験",
        authors="仮名 次郎、標本 三郎",
        source="例示大学 公衆衛生研究報告 2021年12月",
        url="https://doi.org/10.5555/reiji.2021.036",
        body="""
# 背景

減塩の試験の多くは、中高年や血圧の高い人を対象としている。血圧が正常な若い人にも同じ効果があ
るかどうかは、十分に調べられていない。

# 方法

血圧が正常な大学生96人に、減塩の弁当または通常の弁当を8週間食べてもらった。弁当の見た目と
品数はそろえ、どちらの弁当かは本人に知らせなかった。

# 結果

減塩の弁当を食べた学生の食塩摂取量は1日3.4グラム減ったが、血圧は通常の弁当を食べた学生と
変わらなかった。8週間の減塩によって血圧が下がるという結果は得られなかった。運動の習慣や体格
で分けて調べても、結果は同じであった。

昼食の満足度は、最初の2週間は減塩の弁当で低かったが、4週目以降は差がなくなった。

# 考察

学生は朝食と夕食を自由にとっており、影響が薄まった可能性がある。若いころからの減塩が将来の高
血圧を防ぐかどうかは、この試験からは分からない。
""",
    ),
)

# A download that stopped half way: the fourth object is cut off, and the
# cross-reference table and the trailer never arrived.
BROKEN = (
    b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n"
    b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"
    b" /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>\nendobj\n"
    b"4 0 obj\n<< /Length 1874 >>\nstream\n"
    b"BT /F1 18 Tf 72 760 Td (Annual report 2022 of the Example Found"
)


def styles(language: str) -> dict[str, ParagraphStyle]:
    """Return the paragraph styles for one language."""
    japanese = language == "ja"
    body_font = "HeiseiMin-W3" if japanese else "Times-Roman"
    head_font = "HeiseiKakuGo-W5" if japanese else "Helvetica-Bold"
    wrap = "CJK" if japanese else None
    body = ParagraphStyle(
        "body",
        fontName=body_font,
        fontSize=10.5,
        leading=16,
        spaceAfter=7,
        alignment=TA_LEFT,
        wordWrap=wrap,
    )
    return {
        "body": body,
        "small": ParagraphStyle("small", parent=body, fontSize=9, leading=13, spaceAfter=3),
        "head": ParagraphStyle("head", parent=body, fontName=head_font, fontSize=12, spaceBefore=8, spaceAfter=4),
        "title": ParagraphStyle("title", parent=body, fontName=head_font, fontSize=16, leading=22, spaceAfter=8),
    }


def write(document: Document) -> None:
    """Write one PDF into the library."""
    style = styles(document.language)
    story: list[Flowable] = [
        Paragraph(document.title, style["title"]),
        Paragraph(document.authors, style["small"]),
        Paragraph(f"{document.source} {document.url}", style["small"]),
        Spacer(1, 4 * mm),
    ]
    for block in document.blocks:
        if block == NEW_PAGE:
            story.append(PageBreak())
        elif block.startswith("# "):
            story.append(Paragraph(block[2:], style["head"]))
        else:
            story.append(Paragraph(block, style["body"]))

    def footer(canvas: Canvas, template: BaseDocTemplate) -> None:
        canvas.saveState()
        canvas.setFont(style["body"].fontName, 8)
        canvas.drawString(MARGIN, 14 * mm, FOOTER[document.language])
        canvas.drawRightString(A4[0] - MARGIN, 14 * mm, str(template.page))
        canvas.restoreState()

    template = BaseDocTemplate(
        str(LIBRARY / document.name),
        pagesize=A4,
        title=document.title,
        author=document.authors,
        subject=f"{document.source} {document.url}",
        lang=document.language,
        invariant=1,
    )
    frame = Frame(MARGIN, MARGIN, A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN, 0, 0, 0, 0)
    # The footer is drawn after the text, so that a reader of the page meets it last.
    template.addPageTemplates([PageTemplate(frames=[frame], onPageEnd=footer)])
    template.build(story)


def main() -> None:
    """Write all PDFs of the sample library, the broken one included."""
    for font in ("HeiseiMin-W3", "HeiseiKakuGo-W5"):
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    LIBRARY.mkdir(exist_ok=True)
    for document in DOCUMENTS:
        write(document)
    (LIBRARY / "broken-report.pdf").write_bytes(BROKEN)


if __name__ == "__main__":
    main()
