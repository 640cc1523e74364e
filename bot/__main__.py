"""``python -m bot`` is ``gpu-bot``."""

from bot.cli import main

if __name__ == "__main__":
    main()
