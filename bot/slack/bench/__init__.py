"""``/gpu-bench``: what is asked for, who may, the durable job behind it, and the one message that shows it."""
