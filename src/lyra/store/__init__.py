"""The store: the only place with SQL. One SQLite file holds the evidence graph, its history and the index."""
