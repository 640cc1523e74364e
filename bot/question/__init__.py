"""Text to Question: what the message states and nothing else."""

from bot.question.parse import parse
from bot.question.thread import parse_thread
from bot.question.vocabulary import Vocabulary

__all__ = ["Vocabulary", "parse", "parse_thread"]
