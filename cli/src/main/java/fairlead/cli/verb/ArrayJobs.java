package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.api.client.Answer;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The jobs that a word means when it is an array's id or name. */
public final class ArrayJobs {
    /** No request makes more, so an array is never longer. */
    static final int JOBS_MAX = 10_000;

    private ArrayJobs() {}

    /** Whether it may mean one; only the server knows, and whole ids need no question. */
    static boolean mayBe(String word) {
        return !word.endsWith("]") && !word.matches(".+_\\d+_[0-9a-f]{8}");
    }

    /** In the order of their submission; empty where the word means no array. */
    public static List<JobBody> of(String word, Session session)
            throws UsageException, Failure, Refused, IOException {
        Optional<Answer<JobPage>> page = answer(word, session);
        return page.isEmpty() ? List.of() : page.get().value().jobs().reversed();
    }

    /** As the server has it, the newest first; empty where the word means no array. */
    static Optional<Answer<JobPage>> answer(String word, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (!mayBe(word)) return Optional.empty();
        var filter = new JobFilter(null, null, word, null, JOBS_MAX, null);
        Answer<JobPage> page = session.client().jobs(filter);
        return page.value().jobs().isEmpty() ? Optional.empty() : Optional.of(page);
    }
}
