"""Others who do the same: where definitions agree we compare, where they do not we say why."""
