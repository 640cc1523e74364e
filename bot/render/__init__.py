"""From an Answer to words: the only place with sentences, in English and Chinese."""
