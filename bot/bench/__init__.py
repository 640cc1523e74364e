"""A benchmark of a connected GPU host: what runs there, how it is reached, and what a reading means."""
