package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.journal.JournalException;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The list of jobs, newest first (O59). Everyone may see it, as in OpenPAI. */
final class JobListRoutes {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Controller controller;
    private final FinishedRows finished;

    JobListRoutes(Controller controller, FinishedRows finished) {
        this.controller = controller;
        this.finished = finished;
    }

    void all(PaiCall call) throws IOException, JournalException, InterruptedException {
        Optional<String> owner = call.parameter("username");
        send(call, row -> owner.isEmpty() || row.owner().equals(owner.get()));
    }

    /** Those that stand under a user's name, which legacy jobs do not. */
    void ofUser(PaiCall call) throws IOException, JournalException, InterruptedException {
        String user = call.user().orElseThrow();
        send(call, row -> row.user().equals(user));
    }

    private void send(PaiCall call, Predicate<JobRow> wanted)
            throws IOException, JournalException, InterruptedException {
        // Unfinished ones first: a job that ends in between is then in both, never in neither.
        List<Job> unfinished = new ArrayList<>(controller.unfinished());
        unfinished.sort(Comparator.comparing(FinishedRows.Place::of));
        var over = finished.all().entrySet().iterator();
        try (OutputStream out = new BufferedOutputStream(call.stream(), BUFFER_BYTES)) {
            out.write('[');
            merge(unfinished, over, wanted, out);
            out.write(']');
        }
    }

    private static void merge(
            List<Job> unfinished,
            Iterator<Map.Entry<FinishedRows.Place, JobRow>> over,
            Predicate<JobRow> wanted,
            OutputStream out)
            throws IOException {
        boolean isFirst = true;
        int next = 0;
        var ended = over.hasNext() ? over.next() : null;
        while (next < unfinished.size() || ended != null) {
            Job job = next < unfinished.size() ? unfinished.get(next) : null;
            int order =
                    job == null
                            ? 1
                            : ended == null
                                    ? -1
                                    : FinishedRows.Place.of(job).compareTo(ended.getKey());
            JobRow row = order < 0 ? JobRow.of(job) : ended.getValue();
            if (order <= 0) next++;
            if (order >= 0) ended = over.hasNext() ? over.next() : null;
            if (!wanted.test(row)) continue;
            if (!isFirst) out.write(',');
            isFirst = false;
            out.write(row.json());
        }
    }
}
