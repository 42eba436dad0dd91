package fairlead.journal;

import fairlead.job.Event;
import fairlead.job.JobId;

/** An event and the job that it is about. */
public record Fact(JobId job, Event event) {}
