package fairlead.cli.runai;

import fairlead.api.JobBody;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Table;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.Words;
import fairlead.cli.job.JobPages;
import fairlead.cli.server.RunaiFile;
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** {@code top jobs}: who holds GPUs now, most first. */
final class RunaiTop implements Verb {
    /** More than anyone reads. */
    private static final int ROWS_MAX = 1_000;

    private static final Option ALL =
            Option.flag(
                    "--all-projects", "-A", "the jobs of all projects, as without a default one");

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai top jobs", "runai top job"),
                "",
                0,
                "show the jobs that hold something now, the largest first",
                List.of(Runai.PROJECT, ALL),
                List.of(Example.of("fairlead runai top jobs -A", "of all projects")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var jobs = new ArrayList<JobBody>();
        JobPages.pages(session.client(), JobFilter.ALL.state("active"), ROWS_MAX, jobs);
        jobs.removeIf(job -> job.state().equals("queued"));
        String project = arguments.text(Runai.PROJECT).orElse(RunaiFile.of(session).project());
        if (project != null && !arguments.has(ALL)) {
            Runai.checkProject(project, session);
            jobs.removeIf(job -> !job.project().equals(project));
        }
        session.out().print(table(jobs, session.now()));
        return ExitCode.OK;
    }

    static String table(List<JobBody> jobs, Instant now) {
        var sorted = new ArrayList<>(jobs);
        sorted.sort(
                Comparator.comparingInt(JobBody::gpus)
                        .reversed()
                        .thenComparing(JobBody::project)
                        .thenComparing(JobBody::name));
        var table =
                new Table()
                        .row(
                                "NAME",
                                "PROJECT",
                                "USER",
                                "STATUS",
                                "TYPE",
                                "GPUs Allocated (Requested)",
                                "NODE",
                                "AGE");
        for (JobBody job : sorted) {
            table.row(
                    job.name(),
                    job.project(),
                    job.owner(),
                    JobWords.status(job),
                    JobWords.type(job),
                    JobWords.gpus(job),
                    JobWords.node(job),
                    Words.age(job.submitted(), now));
        }
        return table.text();
    }
}
