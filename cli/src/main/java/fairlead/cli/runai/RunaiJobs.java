package fairlead.cli.runai;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.TaskBody;
import fairlead.api.client.Client;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.words.Suggestion;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The jobs of a project by their names, of which Run:ai has each once. */
final class RunaiJobs {
    static final Option POD = Option.valued("--pod", null, "POD", "of this pod; the first");

    /**
     * So many finished jobs are looked through, newest first; a name that only older ones bear is
     * free again. The server finds jobs by id and not by name, and these are one second's work.
     */
    static final int FINISHED_MAX = 10_000;

    /** More are never unfinished on one server. */
    private static final int ACTIVE_MAX = 1_000_000;

    /** So long Run:ai waits for a pod. */
    private static final Duration START_MAX = Duration.ofSeconds(30);

    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    private RunaiJobs() {}

    /**
     * Unfinished ones first, then the newest.
     *
     * @param project null: of all
     */
    static List<JobBody> all(Client client, String project) throws Refused, IOException {
        var jobs = new ArrayList<JobBody>();
        JobPages.pages(client, JobFilter.ALL.state("active"), ACTIVE_MAX, jobs);
        JobPages.pages(client, JobFilter.ALL.state("finished"), FINISHED_MAX, jobs);
        if (project != null) jobs.removeIf(job -> !job.project().equals(project));
        return jobs;
    }

    /** All that bear the name of a job, or of its pod; or the one with this id. */
    static List<JobBody> named(String name, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (name.matches("(.+_\\d+_)?[0-9a-f]{8}")) {
            List<JobBody> known = byId(name, session.client());
            if (!known.isEmpty()) return known;
        }
        String project = Runai.project(arguments, session);
        List<JobBody> all = all(session.client(), project);
        for (String meant : List.of(name, JobWords.jobOf(name))) {
            List<JobBody> same = all.stream().filter(job -> job.name().equals(meant)).toList();
            if (!same.isEmpty()) return same;
        }
        Runai.checkProject(project, session);
        String near = Suggestion.of(name, all.stream().map(JobBody::name).toList());
        throw new Failure(
                Runai.REFUSED,
                "the job '"
                        + name
                        + "' does not exist in project '"
                        + project
                        + (near.isEmpty() ? "'" : "'." + near));
    }

    private static List<JobBody> byId(String id, Client client) throws Refused, IOException {
        try {
            return List.of(client.job(id).value().job());
        } catch (Refused e) {
            if (e.is(ErrorCode.NOT_FOUND)) return List.of();
            throw e;
        }
    }

    /** The one that is read: where several bear the name, the unfinished or newest. */
    static JobBody one(String name, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return named(name, arguments, session).getFirst();
    }

    /**
     * The one that is reached, which must run; one that is about to is waited for.
     *
     * @param what cannot be done otherwise, before {@code a pod that is not running}
     */
    static JobBody running(String what, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return running(what, one(arguments.some("job").getFirst(), arguments, session), session);
    }

    /** The same of a job that is known. */
    static JobBody running(String what, JobBody known, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = begun(known, session);
        needRunning(what, job);
        return job;
    }

    static void needRunning(String what, JobBody job) throws Failure {
        if (job.state().equals("running")) return;
        throw new Failure(
                Runai.REFUSED,
                what
                        + " a pod that is not running; the job '"
                        + job.name()
                        + "' is "
                        + JobWords.status(job));
    }

    /** The same once it no longer waits or starts, or as it stands when that takes too long. */
    static JobBody begun(JobBody known, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = known;
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (job.state().equals("queued") || job.state().equals("starting")) {
            if (System.nanoTime() > deadline) break;
            pause();
            job = session.client().job(job.id()).value().job();
        }
        return job;
    }

    /** The task of the pod that {@code --pod} names; null where it names none. */
    static String task(JobBody job, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return arguments.has(POD) ? task(job, arguments.text(POD).orElseThrow(), session) : null;
    }

    static String task(JobBody job, String pod, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<TaskBody> tasks = session.client().job(job.id()).value().tasks();
        var pods = new ArrayList<String>();
        for (int i = 0; tasks != null && i < tasks.size(); i++) {
            pods.add(JobWords.pod(job.name(), i));
            if (pods.getLast().equals(pod)) return tasks.get(i).task();
        }
        throw new Failure(
                Runai.REFUSED,
                "the job '"
                        + job.name()
                        + "' has no pod '"
                        + pod
                        + (pods.isEmpty() ? "' now" : "', only " + String.join(", ", pods)));
    }

    private static void pause() throws Failure {
        try {
            Thread.sleep(LOOK_EVERY);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(Runai.REFUSED, "interrupted");
        }
    }

    /** The one that is deleted: where several bear the name, none is guessed. */
    static JobBody only(String name, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<JobBody> same = named(name, arguments, session);
        if (same.size() == 1) return same.getFirst();
        String ids = same.stream().map(JobBody::id).collect(Collectors.joining("\n  "));
        throw new Failure(
                Runai.REFUSED,
                "several jobs are called '" + name + "'; say the id of one:\n  " + ids);
    }

    /** Null where the job was deleted a moment ago. */
    static JobDetail detail(JobBody job, Client client) throws Refused, IOException {
        try {
            return client.job(job.id()).value();
        } catch (Refused e) {
            if (e.is(ErrorCode.NOT_FOUND)) return null;
            throw e;
        }
    }

    static boolean isOver(JobBody job) {
        return Words.isOver(job.state());
    }
}
