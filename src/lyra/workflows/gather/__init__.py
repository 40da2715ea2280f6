"""Gathering: from a query to pages and fragments, as one path of steps that can be stopped and gone on with."""
