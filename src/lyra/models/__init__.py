"""Local models: their weights, the embedder, the judge, the re-ranker, and models by name. Nothing here reaches the network."""
