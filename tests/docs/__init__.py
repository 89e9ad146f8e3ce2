"""The documentation says what is true: numbers, links, and the site it is built into."""
