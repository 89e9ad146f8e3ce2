"""Files that past versions wrote: what can be read once can be read forever."""
