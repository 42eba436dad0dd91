package fairlead.cli.verb;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.client.Client;
import fairlead.api.client.EventStream;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Waits until all of several jobs have ended, over one stream of everybody's events: to watch each
 * of ten thousand jobs by itself would take as many calls.
 */
final class WaitForAll {
    private final List<String> arrays;
    private final Map<String, JobBody> jobs;
    private final long deadline;
    private final Session session;

    /**
     * @param arrays looked at by one call each
     * @param jobs those of the arrays and others, by id; brought up to date
     */
    WaitForAll(List<String> arrays, Map<String, JobBody> jobs, long deadline, Session session) {
        this.arrays = arrays;
        this.jobs = jobs;
        this.deadline = deadline;
        this.session = session;
    }

    /** Returns when all have ended, or at the deadline. */
    void await() throws UsageException, Failure, Refused, IOException {
        long heard = System.nanoTime();
        try (Client client = session.another()) {
            while (!open().isEmpty()) {
                try (var events = client.events()) {
                    // Whoever has ended before the stream began shows only now.
                    look();
                    listen(events, open());
                    look();
                    heard = System.nanoTime();
                } catch (Unreachable e) {
                    if (System.nanoTime() - heard > Wait.AWAY_MAX.toNanos()) throw e;
                }
                if (open().isEmpty()) return;
                if (System.nanoTime() > deadline) {
                    session.say("the time is over");
                    return;
                }
                Wait.pause();
            }
        }
    }

    private Set<String> open() {
        var open = new HashSet<String>();
        for (JobBody job : jobs.values()) if (!Words.isOver(job.state())) open.add(job.id());
        return open;
    }

    private void look() throws UsageException, Failure, Refused, IOException {
        for (String array : arrays)
            for (JobBody job : ArrayJobs.of(array, session)) jobs.put(job.id(), job);
        for (String id : open()) {
            if (arrays.contains(String.valueOf(jobs.get(id).array()))) continue;
            JobBody job = session.client().job(id).value().job();
            jobs.put(id, job);
        }
    }

    /** Returns when these have ended, when the stream has, or at the deadline. */
    private void listen(EventStream events, Set<String> open) throws IOException {
        while (!open.isEmpty()) {
            Wait.progress(session, open.size(), jobs.size());
            try {
                var next = events.next(Wait.patience(deadline));
                if (next.isEmpty()) return;
                if (!next.get().type().equals("state")) continue;
                EventBody happening = next.get().happening();
                boolean isOver = happening.state() != null && Words.isOver(happening.state());
                if (isOver) open.remove(happening.job());
            } catch (Unreachable e) {
                if (System.nanoTime() >= deadline) return;
                throw e;
            }
        }
    }
}
