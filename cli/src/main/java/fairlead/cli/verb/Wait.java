package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.client.Client;
import fairlead.api.client.EventStream;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/** Waits until jobs have ended. */
public final class Wait implements Verb {
    private static final Option TIMEOUT =
            Option.valued("--timeout", null, "T", "give up after this time: 90s, 30m, 4h");

    private static final Option NOTIFY =
            Option.flag("--notify", null, "ring the bell and tell the desktop when it is over");

    /** How long a server may be away before we stop to wait for it. */
    static final Duration AWAY_MAX = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(200);

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("wait"),
                "JOB...",
                Usage.MANY,
                "wait until jobs have ended; exit with 0 if all succeeded, else 1",
                List.of(TIMEOUT, NOTIFY),
                List.of(
                        Example.of(
                                "fairlead wait --timeout 4h " + Example.JOB,
                                "returns at once for a job that has ended; an array's id means all"
                                        + " its jobs"),
                        Example.of(
                                "fairlead wait --notify " + Example.JOB,
                                "calls you back: bell and desktop")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> ids = arguments.some("job");
        long deadline = Long.MAX_VALUE;
        if (arguments.has(TIMEOUT)) {
            Duration timeout = Words.duration(arguments.text(TIMEOUT).orElseThrow());
            deadline = System.nanoTime() + timeout.toNanos();
        }
        // First all ids are looked up, so that a mistyped one is noticed before hours of waiting.
        var arrays = new ArrayList<String>();
        var jobs = new LinkedHashMap<String, JobBody>();
        for (String id : ids) {
            List<JobBody> array = ArrayJobs.of(id, session);
            if (!array.isEmpty()) arrays.add(array.getFirst().array());
            if (array.isEmpty()) array = List.of(session.client().job(id).value().job());
            for (JobBody job : array) jobs.put(job.id(), job);
        }
        if (jobs.size() == 1) {
            progress(session, 1, 1);
            JobBody only = ended(jobs.firstEntry().getValue(), deadline, session);
            jobs.put(only.id(), only);
        } else {
            new WaitForAll(arrays, jobs, deadline, session).await();
        }
        if (session.terminal().errIsTerminal()) session.status("");
        if (arguments.has(NOTIFY)) Notice.give(words(jobs.values()), session);
        int code = ExitCode.OK;
        for (JobBody job : jobs.values()) {
            if (job.state().equals("succeeded")) continue;
            code = ExitCode.JOB_FAILED;
            if (Words.isOver(job.state())) {
                session.say("job " + job.id() + " " + Words.state(job));
                continue;
            }
            session.say(
                    "job %s is still %s; 'fairlead why %s' says why"
                            .formatted(job.id(), job.state(), job.id()));
            break;
        }
        return code;
    }

    /** {@code train_1_0000000a: succeeded}, or {@code 5 jobs: 3 succeeded, 2 failed}. */
    private static String words(Collection<JobBody> jobs) {
        var states = new TreeMap<String, Integer>();
        for (JobBody job : jobs) states.merge(Words.state(job.state()), 1, Integer::sum);
        if (jobs.size() == 1) {
            JobBody only = jobs.iterator().next();
            return only.id() + ": " + Words.state(only);
        }
        var words = new ArrayList<String>();
        states.descendingMap().forEach((state, count) -> words.add(count + " " + state));
        return jobs.size() + " jobs: " + String.join(", ", words);
    }

    static void progress(Session session, int left, int all) throws IOException {
        if (session.terminal().errIsTerminal()) {
            session.status("waiting for " + left + " of " + all + (all == 1 ? " job" : " jobs"));
        }
    }

    /** The job when it has ended, or as it is at the deadline. */
    public static JobBody ended(JobBody first, long deadline, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = first;
        long heard = System.nanoTime();
        Client client = session.another();
        while (!Words.isOver(job.state())) {
            try {
                listen(client, job.id(), deadline);
                job = client.job(job.id()).value().job();
                heard = System.nanoTime();
            } catch (Unreachable e) {
                if (System.nanoTime() - heard > AWAY_MAX.toNanos()) throw e;
                pause();
            }
            if (System.nanoTime() > deadline && !Words.isOver(job.state())) {
                session.say("the time is over");
                return job;
            }
        }
        return job;
    }

    /** Returns when the job's events have ended, or at the deadline. */
    private static void listen(Client client, String id, long deadline)
            throws Refused, IOException {
        try (var events = client.events(id)) {
            while (true) {
                try {
                    var event = events.next(patience(deadline));
                    if (event.isEmpty()) return;
                } catch (Unreachable e) {
                    if (System.nanoTime() >= deadline) return;
                    throw e;
                }
            }
        }
    }

    /** How long a stream may be silent: until the deadline, where that is soon. */
    static Duration patience(long deadline) {
        if (deadline == Long.MAX_VALUE) return EventStream.SILENCE_MAX;
        Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        return left.compareTo(EventStream.SILENCE_MAX) < 0 ? left : EventStream.SILENCE_MAX;
    }

    static void pause() throws Failure {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.UNREACHABLE, "interrupted");
        }
    }
}
