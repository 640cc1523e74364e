"""SkyPilot's catalogue function on the catalogue of its home, timed; run by ``ask.py`` with an interpreter that has it.

    HOME=FOLDER python -I peer_sky.py CLOUD GPU COUNT ROUNDS

Prints one JSON object: the version, how many offers were found, the cheapest of them, and milliseconds of each round;
null where SkyPilot is not installed.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from typing import Any


def main(cloud: str, gpu: str, count: int, rounds: int) -> int:
    start = time.perf_counter()
    try:
        from sky import catalog
        from sky.utils import annotations
    except ImportError:
        print("null")
        return 0
    imported = time.perf_counter()

    def ask() -> list[Any]:
        annotations.clear_request_level_cache()  # as each request begins
        found = catalog.list_accelerators(
            name_filter=f"^{gpu}$", quantity_filter=count, clouds=[cloud], all_regions=True
        )
        return sorted(found.get(gpu, []), key=lambda one: one.price)

    samples = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        offers = ask()
        samples.append((time.perf_counter() - began) * 1000)
    result = {
        "version": version("skypilot"), "offers": len(offers), "cheapest": offers[0].price if offers else None,
        "import_ms": (imported - start) * 1000, "first_ms": samples[0], "samples_ms": samples[1:],
    }  # fmt: skip
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
