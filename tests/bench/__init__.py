"""What the tests of the benchmark share: invented hosts, published readings, a fake GPU."""
