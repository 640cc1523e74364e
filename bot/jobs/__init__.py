"""Durable jobs and schedules. The only room that names dbos; see ``engine`` for the interface."""

from bot.jobs.engine import FORMAT, Jobs
from bot.jobs.running import Job
from bot.jobs.state import (
    FAILED,
    GAVE_UP,
    LEFT_BEHIND,
    SILENT,
    STATES,
    Cancelled,
    JobError,
    JobState,
    LetGo,
    Pace,
)

__all__ = [
    "FAILED",
    "FORMAT",
    "GAVE_UP",
    "LEFT_BEHIND",
    "SILENT",
    "STATES",
    "Cancelled",
    "Job",
    "JobError",
    "JobState",
    "Jobs",
    "LetGo",
    "Pace",
]
