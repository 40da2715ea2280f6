"""Classification: what a machine can say of a source or a claim, step by step, and what it has to ask a person."""
