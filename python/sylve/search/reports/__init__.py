"""What a search found: as values, as tables and HTML, and in words."""
