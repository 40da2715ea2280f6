"""Evaluation reports, pure: built from structured claims, verified in three layers, corrected in place, measured."""
