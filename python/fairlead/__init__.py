"""Fairlead for Python: a training script reports its epochs and stops where nothing is lost; a client submits jobs."""

from fairlead.client import Job, JobInfo, Metrics, Point, Speed, Why, job, jobs, submit
from fairlead.errors import FairleadError
from fairlead.mirror import mirror
from fairlead.training import Training

__all__ = ["FairleadError", "Job", "JobInfo", "Metrics", "Point", "Speed", "Training", "Why", "job", "jobs", "mirror", "submit"]
