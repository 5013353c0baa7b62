"""`sylve serve`: play, analyse, learn and review in a browser. docs/page.md has the protocol."""
