"""Local models: their weights, the embedder and the stance judge. Nothing here reaches the network."""
