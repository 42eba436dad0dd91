package fairlead.control;

import fairlead.job.Job;
import fairlead.journal.Fact;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What one tick left behind.
 *
 * @param facts durable now, in order
 * @param after the job as each fact left it, in the same order
 * @param owed everything that some state owes the world, done before or not
 * @param wake when time alone will change something
 */
public record Tick(
        List<Fact> facts, List<Job> after, Collection<Owed> owed, Optional<Instant> wake) {}
