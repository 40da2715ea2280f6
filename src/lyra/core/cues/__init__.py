"""What a claim and a sentence say, read by rules anyone can follow: numbers, negation, direction, scope."""
