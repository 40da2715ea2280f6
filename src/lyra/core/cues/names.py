"""The cues, by name and in the order in which the weigher takes them."""

# Append only: the weigher's coefficients are stored by name, and a cue that a language cannot read is 0.0 there.
CUES: tuple[str, ...] = (
    "overlap",  # share of the claim's content words that the evidence has
    "missing",  # claim's content words without a counterpart, of five
    "names_missing",
    "negation_claim",
    "negation_evidence",
    "negation_flip",  # what both speak of is denied in exactly one of them
    "null_result",  # the evidence found no effect or no difference
    "direction_same",
    "direction_opposed",
    "antonym",
    "number_same",
    "number_conflict",
    "number_extra",  # the claim's number has no counterpart
    "time_conflict",
    "hedge_gap",  # the claim is certain, the evidence is not
    "hedge_claim",
    "quantifier_gap",  # the claim speaks of more than the evidence does
    "quantifier_conflict",
    "cause_gap",  # the evidence tells of a link, the claim of a cause
    "population_gap",
    "roles_swapped",
    "comparison_swapped",
    "only_claim",
    "length_claim",
    "length_evidence",
    "question",
    "turned_once",  # an odd number of things is turned round: the claim says the opposite
    "turned_twice",  # an even number, so that the meaning is the same again
    "null_claim",
    "copied",  # share of the claim that is the evidence word for word
    "substituted",  # words put in the place of others in an otherwise copied claim
    "sister",  # a word of the same family instead: copper for tin, June for July
    "hedge_evidence",
    "certain_claim",
    "quantifier_same",
    "other_dimension",  # both compare, but the one speed and the other weight
    "predicate_missing",  # nothing in the evidence speaks of what the claim says
    "argument_missing",
    "clause_overlap",  # overlap with the clause of the evidence that is nearest to the claim
    "subject_missing",
    "subject_elsewhere",  # subject and predicate of the claim belong to different clauses of the evidence
    "characters",  # pairs of characters that both have
    "evidence_covered",
    "double_negation",
    "unknown_evidence",
    "unknown_claim",
    "sign_same",  # all directions and denials multiplied
    "sign_opposed",
    "direction_claim_only",
    "comparison_same",
    "focus_same",  # not X but Y, and the claim names Y
    "focus_conflict",
    "only_evidence",
    "only_conflict",  # the evidence says only X, the claim speaks of others as well
)


def blank() -> dict[str, float]:
    """Every cue at 0.0, in order."""
    return dict.fromkeys(CUES, 0.0)
