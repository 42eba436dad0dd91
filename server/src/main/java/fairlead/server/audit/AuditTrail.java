package fairlead.server.audit;

import static java.util.Map.entry;

import fairlead.journal.AuditLine;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.http.Answered;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes a line for each call that changed something, or was refused to, on a thread of its own so
 * that no caller waits for it. A line is in the journal some milliseconds after the answer; only a
 * crash of the server in between loses it.
 */
public final class AuditTrail implements Consumer<Answered> {
    /** Some seconds of the busiest server; beyond it calls wait. */
    private static final int WAITING_MAX = 10_000;

    private static final int BATCH_MAX = 1_000;
    private static final Duration OFFER_PATIENCE = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration TIDY = Duration.ofHours(1);

    /** Nothing that is named is longer. */
    private static final int SUBJECT_CHARS_MAX = 500;

    private static final System.Logger LOG = System.getLogger(AuditTrail.class.getName());

    /** What people call the calls of our own interface. */
    private static final Map<String, String> WORDS =
            Map.ofEntries(
                    entry("POST /v1/jobs", "submit"),
                    entry("POST /submit", "submit"),
                    entry("DELETE /v1/jobs/{id}", "delete"),
                    entry("DELETE /v1/arrays/{id}", "delete"),
                    entry("POST /v1/jobs/{id}/abort", "abort"),
                    entry("POST /v1/arrays/{id}/abort", "abort"),
                    entry("POST /v1/abort", "abort"),
                    entry("POST /v1/jobs/{id}/resubmit", "resubmit"),
                    entry("POST /v1/arrays/{id}/resubmit", "resubmit"),
                    entry("POST /v1/jobs/{id}/priority", "priority"),
                    entry("POST /v1/jobs/{id}/exec", "exec"),
                    entry("POST /v1/jobs/{id}/attach", "attach"),
                    entry("POST /v1/jobs/{id}/forward", "port-forward"),
                    entry("POST /v1/jobs/{id}/ports/{port}", "port-forward"),
                    entry("POST /v1/clusters", "add-cluster"),
                    entry("PUT /v1/projects/{name}", "set-project"),
                    entry("DELETE /v1/projects/{name}", "delete-project"),
                    entry("PUT /v1/people/{name}", "create-user"),
                    entry("PATCH /v1/people/{name}", "change-user"),
                    entry("DELETE /v1/people/{name}", "delete-user"),
                    entry("POST /v1/people/{name}/token", "new-token"),
                    entry("PUT /v1/people/{name}/password", "password"),
                    entry("POST /v1/people/{name}/tokens", "create-token"),
                    entry("DELETE /v1/people/{name}/tokens/{token}", "revoke-token"),
                    entry("PUT /v1/people/{name}/secrets/{secret}", "set-secret"),
                    entry("DELETE /v1/people/{name}/secrets/{secret}", "delete-secret"),
                    entry("PUT /v1/projects/{name}/secrets/{secret}", "set-secret"),
                    entry("DELETE /v1/projects/{name}/secrets/{secret}", "delete-secret"),
                    entry("POST /v1/login", "login"),
                    entry("POST /v1/session", "login"),
                    entry("DELETE /v1/session", "logout"),
                    entry("POST /v1/server/stop", "stop-server"),
                    entry("POST /v1/server/backup", "backup"));

    /** These change nothing that outlives them. */
    private static final List<String> UNTOLD = List.of("PUT /v1/session", "POST /v1/jobfile");

    private final Journal journal;
    private final Supplier<Instant> clock;
    private final Duration keep;
    private final Consumer<Throwable> bug;
    private final ArrayBlockingQueue<AuditLine> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Thread thread;
    private volatile boolean isStopped;

    /**
     * @param keep how long lines are kept
     */
    public AuditTrail(
            Journal journal, Supplier<Instant> clock, Duration keep, Consumer<Throwable> bug) {
        this.journal = journal;
        this.clock = clock;
        this.keep = keep;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("audit").daemon().unstarted(this::run);
    }

    /** The word for a call; of other interfaces the call itself. */
    static String word(String method, String path) {
        String call = method + " " + path;
        return WORDS.getOrDefault(call, call.toLowerCase(Locale.ROOT));
    }

    @Override
    public void accept(Answered call) {
        if (UNTOLD.contains(call.method() + " " + call.path())) return;
        String subject = call.subject();
        var line =
                new AuditLine(
                        clock.get(),
                        call.who(),
                        call.from(),
                        word(call.method(), call.path()),
                        subject.length() > SUBJECT_CHARS_MAX
                                ? subject.substring(0, SUBJECT_CHARS_MAX)
                                : subject,
                        call.status() < 400 ? "done" : "refused " + call.status());
        try {
            if (!waiting.offer(line, OFFER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                LOG.log(System.Logger.Level.ERROR, "the audit lost a line: {0}", line);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public void start() {
        thread.start();
    }

    /** Writes what is waiting, and ends. */
    public void stop(Duration patience) throws InterruptedException {
        isStopped = true;
        thread.join(patience);
    }

    private void run() {
        try {
            Instant tidied = Instant.EPOCH;
            var batch = new ArrayList<AuditLine>();
            while (!isStopped || !waiting.isEmpty() || !batch.isEmpty()) {
                if (batch.isEmpty()) {
                    AuditLine first = waiting.poll(LOOK.toMillis() / 10, TimeUnit.MILLISECONDS);
                    if (first != null) batch.add(first);
                    waiting.drainTo(batch, BATCH_MAX - batch.size());
                }
                boolean isKept = keep(batch);
                if (isKept) batch.clear();
                else if (isStopped) return;
                else Thread.sleep(LOOK);
                if (Duration.between(tidied, clock.get()).compareTo(TIDY) > 0) tidied = tidy();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Throwable death) {
            bug.accept(death);
        }
    }

    private boolean keep(List<AuditLine> batch) {
        if (batch.isEmpty()) return true;
        try {
            journal.audit(batch);
            return true;
        } catch (JournalException failure) {
            LOG.log(System.Logger.Level.WARNING, "the audit waits: {0}", failure.getMessage());
            return false;
        }
    }

    private Instant tidy() {
        Instant now = clock.get();
        try {
            journal.forgetAudit(now.minus(keep));
        } catch (JournalException failure) {
            LOG.log(System.Logger.Level.WARNING, "the audit stays: {0}", failure.getMessage());
        }
        return now;
    }
}
