"""The decision: pure functions over frozen values. No Slack, clock, network, database or globals."""
