package fairlead.cli.runai;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.TaskBody;
import fairlead.api.client.Refused;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Shows everything about a job in the sections of Run:ai. */
final class RunaiDescribe implements Verb {
    private static final Option OUTPUT =
            Option.valued("--output", "-o", "FORMAT", "json, yaml or wide");

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai describe job", "runai describe jobs"),
                "NAME",
                1,
                "show everything about a job",
                List.of(Runai.PROJECT, OUTPUT),
                List.of(
                        Example.of(
                                "fairlead runai describe job " + Example.JOB,
                                "by its name, or by the id that 'fairlead list' shows")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = arguments.some("job").getFirst();
        String format = arguments.text(OUTPUT).orElse("wide");
        if (!List.of("json", "yaml", "wide").contains(format)) {
            throw new UsageException(
                    "--output must be json, yaml or wide, but is '" + format + "'");
        }
        JobBody job = RunaiJobs.one(name, arguments, session);
        var answer = session.client().job(job.id());
        switch (format) {
            case "json" -> session.json(answer);
            case "yaml" ->
                    session.out()
                            .print(SpecYaml.of(new String(answer.body(), StandardCharsets.UTF_8)));
            default -> print(answer.value(), session);
        }
        return ExitCode.OK;
    }

    private static void print(JobDetail detail, Session session)
            throws UsageException, Failure, Refused, IOException {
        Instant now = session.now();
        var kind = new ClusterKind(session);
        String urls = RunaiListJobs.urls(detail.job(), detail.spec(), kind);
        String namespace =
                JobWords.namespace(kind.namespace(detail.job().cluster()), detail.job().project());
        session.out().print(summary(detail, namespace, urls, now));
        session.out().print("\nPods:\n" + pods(detail, now));
        session.out().print("\nEvents:\n" + events(detail, now));
    }

    private static String summary(JobDetail detail, String namespace, String urls, Instant now) {
        JobBody job = detail.job();
        int succeeded = ended(detail, "succeeded");
        var table =
                new Table()
                        .row("NAME:", job.name())
                        .row("NAMESPACE:", namespace)
                        .row("TYPE:", JobWords.type(job))
                        .row("STATUS:", JobWords.status(job))
                        .row("TRAINING DURATION:", Words.running(job, now))
                        .row("GPUS:", JobWords.requested(job))
                        .row("TOTAL REQUESTED GPUS:", JobWords.requested(job))
                        .row("ALLOCATED GPUS:", JobWords.allocated(job))
                        .row("RUNNING PODS:", String.valueOf(JobWords.running(job)))
                        .row("PENDING PODS:", String.valueOf(JobWords.pending(job)))
                        .row("PARALLELISM:", String.valueOf(job.tasks()))
                        .row("COMPLETIONS:", String.valueOf(job.tasks()))
                        .row("SUCCEEDED PODS:", String.valueOf(succeeded))
                        .row("FAILED PODS:", String.valueOf(job.failures()))
                        .row("IMAGE:", JobWords.image(detail.spec()))
                        .row("SERVICE URL(S):", urls);
        boolean visible = detail.spec() != null;
        String hidden = "only " + job.owner() + " and admins may see it";
        table.row(
                "COMMAND LINE:",
                visible
                        ? Paint.plain(JobWords.commandLine(detail.spec()), Integer.MAX_VALUE)
                        : hidden);
        return table.text();
    }

    private static int ended(JobDetail detail, String state) {
        if (detail.tasks() == null) return 0;
        return (int) detail.tasks().stream().filter(task -> task.state().equals(state)).count();
    }

    private static String pods(JobDetail detail, Instant now) {
        JobBody job = detail.job();
        List<TaskBody> tasks = detail.tasks() == null ? List.of() : detail.tasks();
        var table = new Table().row("POD", "STATUS", "TYPE", "AGE", "NODE");
        String age = Words.age(job.started(), now);
        for (int i = 0; i < tasks.size(); i++) {
            TaskBody task = tasks.get(i);
            String status = JobWords.status(task.state());
            String node = task.node() == null ? JobWords.NOTHING : task.node();
            table.row(JobWords.pod(job.name(), i), status, JobWords.type(job), age, node);
        }
        if (tasks.isEmpty() && !RunaiJobs.isOver(job)) {
            for (int i = 0; i < job.tasks(); i++) {
                String pod = JobWords.pod(job.name(), i);
                table.row(pod, "Pending", JobWords.type(job), age, JobWords.NOTHING);
            }
        }
        return table.text();
    }

    private static String events(JobDetail detail, Instant now) {
        var table = new Table().row("SOURCE", "TYPE", "AGE", "MESSAGE");
        if (detail.events() != null) {
            for (EventBody event : detail.events()) {
                boolean failed = "failed".equals(event.state());
                String words = event.detail() == null ? "" : ": " + event.detail();
                table.row(
                        "fairlead",
                        failed ? "Warning" : "Normal",
                        Words.age(event.at(), now),
                        Paint.plain(event.event() + words, Integer.MAX_VALUE));
            }
        }
        if (detail.obstacles() != null) {
            for (String obstacle : detail.obstacles()) {
                table.row("scheduler", "Warning", "0s", "waits: " + obstacle);
            }
        }
        return table.text();
    }
}
