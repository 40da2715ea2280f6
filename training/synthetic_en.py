"""English word lists and sentence frames of the synthetic pairs (own writing)."""

from __future__ import annotations

DOMAINS: list[dict[str, list[str]]] = [
    {
        "factors": (
            "vitamin D supplementation|aspirin|daily walking|a low-salt diet|metformin|the vaccine|statin therapy|"
            "mindfulness training|omega-3 supplementation|the new antibiotic|physical therapy|coffee consumption|"
            "smoking|sleep deprivation|probiotic use|gene silencing of TP53|IL-6 blockade|knockdown of the receptor|"
            "radiotherapy|early mobilisation|air pollution exposure|alcohol intake|hormone therapy|telemedicine follow-up|"
            "magnesium|zinc supplementation|a high-fibre diet|intermittent fasting|the inhaler|acupuncture|screening|"
            "overexpression of the gene|caloric restriction|hand washing|the antiviral drug|cognitive behavioural therapy"
        ).split("|"),
        "outcomes": (
            "blood pressure|the risk of stroke|pain intensity|hospital readmission|mortality|bone density|body weight|"
            "inflammation|insulin sensitivity|the incidence of diabetes|sleep quality|anxiety symptoms|tumour growth|"
            "the rate of infection|LDL cholesterol|survival time|cell proliferation|muscle strength|recovery time|"
            "the number of relapses|apoptosis|kidney function|wound healing|lung function|the frequency of migraine|"
            "cognitive decline|viral load|antibody levels|fatigue|heart rate|the length of stay|depressive symptoms"
        ).split("|"),
        "groups": (
            "older adults|children|pregnant women|patients with type 2 diabetes|healthy volunteers|mice|smokers|"
            "patients with heart failure|cancer survivors|adolescents|stroke patients|postmenopausal women"
        ).split("|"),
    },
    {
        "factors": (
            "the carbon tax|reforestation|urban expansion|organic farming|rising sea temperature|wind power|drip irrigation|"
            "pesticide use|the fishing ban|fertiliser use|road traffic|the dam|green roofs|wetland restoration|drought|"
            "cover cropping|noise|plastic waste|the logging moratorium|street lighting"
        ).split("|"),
        "outcomes": (
            "crop yield|carbon emissions|fish stocks|water quality|soil erosion|bird diversity|energy demand|coral cover|"
            "air temperature in the city|nitrate levels|insect abundance|flood damage|groundwater levels|forest cover|"
            "electricity prices|methane release"
        ).split("|"),
        "groups": "coastal areas|tropical regions|small farms|large cities|river basins|protected areas|dry regions".split("|"),
    },
    {
        "factors": (
            "the price increase|the merger|remote work|the new pricing model|automation|the tariff|the loyalty programme|"
            "outsourcing|the advertising campaign|the subscription plan|the minimum wage rise|smaller classes|"
            "online tutoring|the housing subsidy|the software update|the patent portfolio|the new factory|open offices|"
            "the interest rate cut|flexible hours|the delivery app|the cloud migration|the code review policy"
        ).split("|"),
        "outcomes": (
            "revenue|operating margin|customer churn|employee turnover|market share|productivity|test scores|unemployment|"
            "delivery time|rents|customer satisfaction|unit costs|the number of complaints|exports|dropout rates|"
            "response time|the defect rate|inventory|household debt|crime"
        ).split("|"),
        "groups": (
            "small firms|retail chains|the Asian segment|first-year students|rural households|low-income neighbourhoods|"
            "manufacturers|start-ups|public schools|listed companies"
        ).split("|"),
    },
]

EVIDENCE: dict[str, list[str]] = {
    "up": [
        "{x} increased {y} in {g}.",
        "{x} significantly increased {y} (p = {p}).",
        "Among {g}, {y} was higher with {x} than without it.",
        "{y} rose from {a}% to {b}% after {x}.",
        "A rise in {y} was observed following {x} in {g}.",
        "We found that {x} led to higher {y}.",
        "{x} was positively associated with {y} among {g} (n = {n}).",
        "In {g}, {x} raised {y} over the study period.",
        "{y} went up markedly once {x} was in place.",
        "Exposure to {x} was followed by an elevation of {y}.",
    ],
    "down": [
        "{x} decreased {y} in {g}.",
        "{x} significantly reduced {y} (p = {p}).",
        "Among {g}, {y} was lower with {x} than without it.",
        "{y} fell from {a}% to {b}% after {x}.",
        "A drop in {y} was observed following {x} in {g}.",
        "We found that {x} led to lower {y}.",
        "{x} was inversely associated with {y} among {g} (n = {n}).",
        "In {g}, {x} lowered {y} over the study period.",
        "{y} went down markedly once {x} was in place.",
        "Exposure to {x} was followed by a decline in {y}.",
    ],
    "none": [
        "{x} had no effect on {y} in {g}.",
        "There was no significant difference in {y} between {g} with and without {x} (p = {p}).",
        "{y} did not change after {x} ({a}% versus {b}%, p = {p}).",
        "{x} was not associated with {y} among {g}.",
        "We found no evidence that {x} changed {y}.",
        "{y} remained stable with {x} throughout the study period.",
        "{x} neither raised nor lowered {y}.",
        "The trial failed to show any effect of {x} on {y}.",
        "{y} was similar in both groups regardless of {x}.",
        "Contrary to expectations, {x} left {y} unchanged.",
    ],
    "open": [
        "Whether {x} affects {y} in {g} remains unknown.",
        "The effect of {x} on {y} has not been studied in {g}.",
        "We will examine the effect of {x} on {y}.",
        "This protocol describes a trial of {x} with {y} as the main outcome.",
        "Evidence on {x} and {y} is lacking.",
        "{y} was measured in {g} before {x} began.",
        "It has been debated whether {x} has any influence on {y}.",
        "The aim was to assess {y} in {g} receiving {x}.",
    ],
}

CLAIMS: dict[str, list[str]] = {
    "up": [
        "{x} increases {y}.",
        "{x} leads to higher {y}.",
        "{y} rises with {x}.",
        "{x} raises {y} in {g}.",
        "{x} is associated with increased {y}.",
        "{x} causes an increase in {y}.",
    ],
    "down": [
        "{x} decreases {y}.",
        "{x} reduces {y}.",
        "{y} falls with {x}.",
        "{x} lowers {y} in {g}.",
        "{x} is associated with decreased {y}.",
        "{x} leads to lower {y}.",
    ],
    "none": [
        "{x} has no effect on {y}.",
        "{x} does not change {y}.",
        "{x} is not associated with {y}.",
        "{y} is unaffected by {x}.",
        "There is no link between {x} and {y}.",
    ],
}

HEDGED: dict[str, list[str]] = {
    "up": [
        "Our results suggest that {x} may increase {y}.",
        "{x} appears to raise {y} in {g}.",
        "These data indicate a possible rise in {y} with {x}.",
        "{y} tended to be higher with {x}.",
    ],
    "down": [
        "Our results suggest that {x} may reduce {y}.",
        "{x} appears to lower {y} in {g}.",
        "These data indicate a possible decline in {y} with {x}.",
        "{y} tended to be lower with {x}.",
    ],
}

COMPARE: dict[str, list[str]] = {
    "up": [
        "{y} was higher with {x} than with {z} ({b}% vs {a}%).",
        "Compared with {z}, {x} gave higher {y}.",
        "{x} raised {y} more than {z} did.",
    ],
    "down": [
        "{y} was lower with {x} than with {z} ({b}% vs {a}%).",
        "Compared with {z}, {x} gave lower {y}.",
        "{y} stayed below the level seen with {z} when {x} was used.",
    ],
    "none": [
        "{y} did not differ between {x} and {z} (p = {p}).",
        "{x} and {z} resulted in the same {y}.",
        "No difference in {y} was found between {x} and {z}.",
    ],
}
COMPARE_CLAIMS: dict[str, list[str]] = {
    "up": ["{y} is higher with {x} than with {z}.", "{x} leads to higher {y} than {z}."],
    "down": ["{y} is lower with {x} than with {z}.", "{x} leads to lower {y} than {z}."],
    "none": ["{x} and {z} lead to the same {y}.", "{y} does not differ between {x} and {z}."],
}

NUMBERS: list[tuple[str, str]] = [
    ("After {x}, {y} stood at {b}% in {g}.", "{y} was {b}% after {x}."),
    ("We enrolled {n} people from {g} in the study of {x}.", "The study of {x} included {n} participants."),
    ("{y} changed from {a}% to {b}% with {x}.", "With {x}, {y} reached {b}%."),
]

FILLERS: list[str] = [
    "Data were collected at three sites.",
    "The protocol was approved by the ethics board.",
    "Baseline characteristics were balanced.",
    "Interest in this topic has grown over the last decade.",
    "Mean age was 54 years.",
    "We used mixed-effects models.",
    "Limitations include the small sample and the short follow-up.",
    "The study was funded by a public grant.",
    "Previous work on {g} has been inconclusive.",
    "Participants were recruited between 2015 and 2019.",
    "Dropout was 8% in both arms.",
    "Further details are given in the appendix.",
    "These results should be read with care.",
    "Costs were not part of this analysis.",
    "All analyses were repeated after excluding outliers.",
    "Several authors have described {x} before.",
    "Interviews were held with local experts.",
    "Missing values were imputed.",
    "The report covers the fiscal year.",
    "A second survey is planned.",
]

SUBJECTS: list[str] = (
    "the device|the committee|the enzyme|the company|the species|the bridge|the method|the court|the drug|the server|"
    "the museum|the battery|the law|the bacterium|the satellite|the report|the engine|the school|the protein|the model"
).split("|")
FACTS: list[tuple[str, str]] = [
    ("{s} was approved last year.", "{s} was not approved last year."),
    ("{s} requires a licence.", "{s} does not require a licence."),
    ("{s} is available in Europe.", "{s} is not available in Europe."),
    ("{s} was tested in humans.", "{s} has never been tested in humans."),
    ("{s} depends on oxygen.", "{s} works without oxygen."),
    ("{s} was found in all samples.", "{s} was absent from all samples."),
    ("{s} met the safety standard.", "{s} failed to meet the safety standard."),
    ("{s} is older than ten years.", "{s} is less than ten years old."),
    ("{s} was damaged by the flood.", "{s} was left undamaged by the flood."),
    ("{s} supports offline use.", "{s} cannot be used offline."),
    ("{s} has been replaced.", "{s} has not been replaced."),
    ("{s} is expensive to maintain.", "{s} is cheap to maintain."),
    ("{s} opened to the public in May.", "{s} stayed closed to the public in May."),
    ("{s} passed every check.", "{s} did not pass every check."),
]
