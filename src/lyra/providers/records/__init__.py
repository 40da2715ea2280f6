"""Files that hold many records, each a document of its own: BibTeX, RIS, CSL-JSON and OpenAlex, read one record at a time."""
