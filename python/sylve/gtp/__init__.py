"""The Go Text Protocol 2, for every game: our searches as an engine, others' engines as players."""
