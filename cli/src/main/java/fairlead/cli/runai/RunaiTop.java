package fairlead.cli.runai;

import fairlead.api.JobBody;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
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
