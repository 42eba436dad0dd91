package fairlead.cli.runai;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shows the jobs of a project, finished ones too, in the columns of Run:ai. */
final class RunaiListJobs implements Verb {
    private static final Option ALL =
            Option.flag("--all-projects", "-A", "the jobs of all projects");

    /** More than anyone reads; each costs a question for its image. */
    private static final int ROWS_MAX = 200;

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai list jobs", "runai list job", "runai list"),
                "",
                0,
                "show the jobs of a project",
                List.of(Runai.PROJECT, ALL),
                List.of(
                        Example.of("fairlead runai list jobs -p default", "of one project"),
                        Example.of("fairlead runai list jobs -A", "of all projects")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String project = arguments.has(ALL) ? null : Runai.project(arguments, session);
        if (project != null) Runai.checkProject(project, session);
        List<JobBody> all = RunaiJobs.all(session.client(), project);
        var shown = new ArrayList<>(all.subList(0, Math.min(all.size(), ROWS_MAX)));
        shown.sort(Comparator.comparing(JobBody::project).thenComparing(JobBody::name));
        var table =
                new Table()
                        .row(
                                "NAME",
                                "STATUS",
                                "AGE",
                                "NODE",
                                "IMAGE",
                                "TYPE",
                                "PROJECT",
                                "USER",
                                "GPUs Allocated (Requested)",
                                "PODs Running (Pending)",
                                "SERVICE URL(S)");
        var kinds = new ClusterKind(session);
        for (JobBody job : shown) row(table, job, kinds, session);
        session.out().print(table.text());
        if (all.size() > ROWS_MAX) {
            session.say("there are more; 'fairlead list --all' shows them");
        }
        return ExitCode.OK;
    }

    private static void row(Table table, JobBody job, ClusterKind kinds, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobDetail detail = RunaiJobs.detail(job, session.client());
        SpecBody spec = detail == null ? null : detail.spec();
        table.row(
                job.name(),
                JobWords.status(job),
                Words.age(job.submitted(), session.now()),
                JobWords.node(job),
                JobWords.image(spec),
                JobWords.type(job),
                job.project(),
                job.owner(),
                JobWords.gpus(job),
                JobWords.pods(job),
                urls(job, spec, kinds));
    }

    /** Only a job with ports is worth the question where it runs. */
    static String urls(JobBody job, SpecBody spec, ClusterKind kinds)
            throws UsageException, Failure, Refused, IOException {
        boolean hasPorts = spec != null && spec.ports() != null && job.state().equals("running");
        return hasPorts ? JobWords.urls(job, spec, !kinds.isOneMachine(job.cluster())) : "";
    }
}
