package fairlead.cli.verb;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.ProgressBody;
import fairlead.api.ReceiptBody;
import fairlead.api.SetbacksBody;
import fairlead.api.client.Refused;
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

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows everything about a job: spec, tasks, events, why it waits, what its engine cannot do. */
public final class Describe implements Verb {
    /** The spec below has all of it. */
    private static final int COMMAND_CHARACTERS_MAX = 200;

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("describe"),
                "JOB",
                1,
                "show everything about a job",
                List.of(),
                List.of(Example.of("fairlead describe " + Example.JOB, "spec, tasks and events")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().job(arguments.some("job").getFirst());
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        JobDetail detail = answer.value();
        var paint = new Paint(session.terminal().colour());
        session.out().print(head(detail, paint, session));
        String spec =
                detail.spec() == null
                        ? "only " + detail.job().owner() + " and admins may see it\n"
                        : SpecYaml.of(detail.spec());
        section(session, paint, "Spec", spec);
        section(session, paint, "Tasks", TaskTable.of(detail.tasks(), paint));
        section(session, paint, "Preempted", preempted(detail, session));
        section(session, paint, "Events", events(detail.events(), session));
        section(session, paint, "Waits because", local(bullets(detail.obstacles()), session));
        section(session, paint, "Notes", bullets(detail.notes()));
        return ExitCode.OK;
    }

    private static String head(JobDetail detail, Paint paint, Session session) {
        Instant now = session.now();
        JobBody job = detail.job();
        String reason = job.reason() == null || job.reason().isEmpty() ? "" : ": " + job.reason();
        var table =
                new Table()
                        .row("Job", paint.bold(job.id()))
                        .row("State", paint.state(job.state(), Words.state(job)) + reason)
                        .row("Owner", job.owner())
                        .row("Project", job.project())
                        .row("Cluster", job.cluster());
        // As its owner wrote it; what a dialect has made of it stands in the spec.
        if (job.command() != null)
            table.row("Command", Paint.plain(job.command(), COMMAND_CHARACTERS_MAX));
        table.row(
                        "GPUs",
                        Words.gpus(job)
                                + " in "
                                + job.tasks()
                                + (job.tasks() == 1 ? " task" : " tasks"))
                .row("Attempts", job.attempts() + ", of which failed: " + job.failures());
        if (detail.progress() != null) table.row("Progress", progress(detail.progress(), session));
        if (job.interactive()) table.row("Interactive", "yes");
        if (job.priority() != 0) table.row("Priority", String.valueOf(job.priority()));
        if (job.place() != null) table.row("Place", job.place() + " in the queue");
        if (job.predictedStart() != null) {
            table.row(
                    "Starts",
                    Words.start(
                            job.predictedStart(),
                            job.predictedEarliest(),
                            job.predictedLatest(),
                            now));
        }
        if (job.array() != null) table.row("Array", job.array() + ", index " + job.arrayIndex());
        if (job.nodes() != null && !job.nodes().isEmpty())
            table.row("Nodes", String.join(", ", job.nodes()));
        time(table, "Submitted", job.submitted(), session);
        time(table, "Started", job.started(), session);
        time(table, "Finished", job.finished(), session);
        return table.text();
    }

    private static String progress(ProgressBody progress, Session session) {
        String text = "epoch " + progress.epochsDone() + " of " + progress.epochs();
        if (progress.savedAt() != null) {
            text += ", last checkpoint " + time(progress.savedAt(), session);
        }
        Long memory = progress.gpuMemoryBytes();
        return memory == null ? text : text + ", GPU memory peak " + Words.size(memory);
    }

    /** Each preemption with what it cost, and what all of them have cost. */
    private static String preempted(JobDetail detail, Session session) {
        SetbacksBody setbacks = detail.setbacks();
        if (setbacks == null || setbacks.receipts() == null) return "";
        var lines = new ArrayList<String>();
        for (ReceiptBody receipt : setbacks.receipts()) {
            boolean own = detail.job().id().equals(receipt.beneficiary());
            lines.add(
                    Words.time(receipt.at(), session.terminal().zone())
                            + (own ? "" : " for " + receipt.beneficiary())
                            + " ("
                            + Paint.plain(receipt.why(), Integer.MAX_VALUE)
                            + "): "
                            + lost(receipt.lostSeconds()));
        }
        String all =
                setbacks.lostSeconds() > 0
                        ? "in all "
                                + Words.span(setbacks.lostSeconds())
                                + " of work lost; the fair order counts it as time waited\n"
                        : "";
        return bullets(lines) + all;
    }

    private static String lost(double seconds) {
        return seconds > 0
                ? "lost " + Words.span(seconds)
                : "lost nothing: stopped at a checkpoint";
    }

    private static String time(String time, Session session) {
        return Words.time(time, session.terminal().zone())
                + " ("
                + Words.age(time, session.now())
                + " ago)";
    }

    private static void time(Table table, String name, String time, Session session) {
        if (time != null) table.row(name, time(time, session));
    }

    private static String events(List<EventBody> events, Session session) {
        if (events == null || events.isEmpty()) return "";
        var table = new Table().row("AGE", "EVENT", "DETAIL");
        for (EventBody event : events) {
            String detail = event.detail() == null ? "" : event.detail();
            table.row(
                    Words.age(event.at(), session.now()),
                    event.event(),
                    Paint.plain(local(detail, session), Integer.MAX_VALUE));
        }
        return table.text();
    }

    private static String local(String text, Session session) {
        return Words.localTimes(text, session.terminal().zone());
    }

    private static String bullets(List<String> lines) {
        if (lines == null || lines.isEmpty()) return "";
        return "- " + String.join("\n- ", lines) + "\n";
    }

    /** Nothing at all for a section without content. */
    private static void section(Session session, Paint paint, String title, String text)
            throws IOException {
        if (!text.isEmpty()) session.out().print("\n" + paint.bold(title) + "\n" + text.indent(2));
    }
}
