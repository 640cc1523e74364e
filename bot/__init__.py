"""Everything that talks to people or machines."""
