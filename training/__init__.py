"""Recipe that trains the two small models Lyra ships: a stance cross-encoder and an embedder."""
