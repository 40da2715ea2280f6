"""Materials in the formats of other programs: one module for each, and one table of them all."""
