"""What the Slack tests talk to. Named like a retired package of Slack, which nothing here uses."""
