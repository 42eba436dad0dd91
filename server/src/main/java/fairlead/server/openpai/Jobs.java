package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.dialects.openpai.PaiOrigin;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.auth.Caller;

import java.util.Optional;

/** Finds jobs by the names that OpenPAI's clients have for them. Any thread. */
final class Jobs {
    private final Controller controller;
    private final Journal journal;

    Jobs(Controller controller, Journal journal) {
        this.controller = controller;
        this.journal = journal;
    }

    Job find(PaiName name) throws JournalException {
        return search(name).orElseThrow(() -> missing(name));
    }

    static PaiProblem missing(PaiName name) {
        return new PaiProblem(PaiCode.NO_JOB, "Job %.300s is not found.".formatted(name.job()));
    }

    /** As it stands now. */
    Optional<Job> search(PaiName name) throws JournalException {
        Optional<JobId> id = journal.holderOf(PaiOrigin.DIALECT + ":" + name.key());
        if (id.isEmpty() && name.user().isEmpty()) id = id(name.job());
        Optional<Job> job = id.isEmpty() ? Optional.empty() : current(id.get());
        // A job that came by OpenPAI has one name only.
        Optional<Job> named = job.filter(found -> PaiName.of(found).equals(name));
        int tilde = name.job().indexOf('~');
        if (named.isPresent() || name.user().isPresent() || tilde <= 0) return named;
        // Some clients write the whole name in one word.
        return search(
                new PaiName(
                        Optional.of(name.job().substring(0, tilde)),
                        name.job().substring(tilde + 1)));
    }

    private static Optional<JobId> id(String text) {
        try {
            return Optional.of(new JobId(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    Optional<Job> current(JobId id) throws JournalException {
        Optional<Job> unfinished = controller.unfinished(id);
        return unfinished.isPresent() ? unfinished : journal.find(id);
    }

    /**
     * For its owner and for admins.
     *
     * @param what others are told that they may not do: {@code change job}
     */
    Job own(PaiName name, Caller caller, String what) throws JournalException {
        Job job = find(name);
        if (caller.owns(job)) return job;
        throw new PaiProblem(
                PaiCode.FORBIDDEN_USER,
                "User %s is not allowed to %s %s.".formatted(caller.name(), what, name.job()));
    }
}
