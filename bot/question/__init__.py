"""Text to Question: what the message states and nothing else."""

from bot.question.parse import parse
from bot.question.thread import ThreadState, merge, parse_thread
from bot.question.vocabulary import Vocabulary

__all__ = ["ThreadState", "Vocabulary", "merge", "parse", "parse_thread"]
