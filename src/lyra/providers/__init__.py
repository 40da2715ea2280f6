"""Sources of documents: the local library, and everything that turns files into text with its places kept."""
