package fairlead.cli;

import fairlead.api.AheadBody;
import fairlead.api.EventBody;
import fairlead.api.HolderBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.ProgressBody;
import fairlead.api.SetbacksBody;
import fairlead.api.SpeedBody;
import fairlead.api.TaskBody;
import fairlead.api.WhyBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.cli.terminal.Words;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A job of the fake server: it stands still until a test moves it. */
final class FakeJob {
    private static final int LISTED_COMMAND_MAX = 200;

    volatile JobBody body;
    final SpecBody spec;
    String log = "";

    /** What each task has written, for a job with several; the log is then none. */
    final Map<String, String> taskLogs = new LinkedHashMap<>();

    List<String> obstacles = List.of();
    List<AheadBody> ahead = List.of();
    String advice;
    String needs;
    List<HolderBody> holders = List.of();
    ProgressBody progress;
    SetbacksBody setbacks;

    /** Null for a job that does not train. */
    List<SpeedBody> speeds = List.of();

    Long gpuMemoryBytes;

    /** After so many looks at it it has failed; 0: it stays as it is. */
    int looksBeforeEnd;

    /** The state that it gets when someone has waited for it; null: it stays. */
    String afterWait;

    FakeJob(String id, String state) {
        this(id, state, spec());
    }

    FakeJob(String id, String state, SpecBody spec) {
        this.spec = spec;
        body = body(id, state, state.equals("failed") ? Integer.valueOf(3) : null, null);
    }

    private static SpecBody spec() {
        var role = new RoleBody.Edit();
        role.name = "main";
        role.count = 1;
        role.command = List.of("python3", "train.py", "--lr", "0.1");
        role.gpus = 1;
        role.cpus = 0;
        role.minFailed = 1;
        role.minSucceeded = 0;
        var spec = new SpecBody.Edit();
        spec.name = "train";
        spec.cluster = "local";
        spec.project = "default";
        spec.priority = 0;
        spec.roles = List.of(role.body());
        spec.env = Map.of("SEED", "7");
        spec.retries = 0;
        spec.time = "2h";
        spec.workdir = "/home/ann";
        return spec.body();
    }

    private static JobBody body(String id, String state, Integer exitCode, String array) {
        boolean queued = state.equals("queued");
        boolean over = Words.isOver(state);
        return new JobBody(
                id,
                "train",
                "ann",
                "default",
                "local",
                state,
                state.equals("failed") ? "task main/0 exited with 3" : null,
                exitCode,
                0,
                1,
                null,
                false,
                1,
                queued ? 0 : 1,
                state.equals("failed") ? 1 : 0,
                array,
                array == null ? null : Integer.valueOf(0),
                "python3 train.py --lr 0.1",
                "2025-11-15T04:00:00Z",
                queued ? null : "2025-11-15T04:30:00Z",
                over ? "2025-11-15T04:40:00Z" : null,
                queued ? Integer.valueOf(2) : null,
                queued ? "2025-11-15T05:12:00Z" : null,
                queued ? "2025-11-15T05:08:00Z" : null,
                queued ? "2025-11-15T05:25:00Z" : null,
                queued ? List.of() : List.of("box"),
                null,
                null,
                null);
    }

    /** From now on it is a training job. */
    void trains(ProgressBody now) {
        progress = now;
        body = with(edit -> edit.trains(now));
    }

    void command(String command) {
        body = with(edit -> edit.command = command);
    }

    /** As a list has it: with the beginning of a long command. */
    JobBody listed() {
        String command = body.command();
        if (command.length() <= LISTED_COMMAND_MAX) return body;
        return with(edit -> edit.command = command.substring(0, LISTED_COMMAND_MAX - 3) + "...");
    }

    void attempts(int attempts) {
        body = with(edit -> edit.attempts = attempts);
    }

    void submitted(String time) {
        body = with(edit -> edit.submitted = time);
    }

    /** What the server's list tells of the config file that it was submitted with. */
    void config(String config) {
        body = with(edit -> edit.config = config);
    }

    void tasks(int tasks) {
        body = with(edit -> edit.tasks = tasks);
    }

    private JobBody with(Consumer<Edit> change) {
        var edit = new Edit(body);
        change.accept(edit);
        return edit.body();
    }

    /** What tests change of a job. */
    private static final class Edit {
        private final JobBody job;
        int tasks;
        int attempts;
        String command;
        String submitted;
        Integer epochsDone;
        Integer epochs;
        String config;

        Edit(JobBody job) {
            this.job = job;
            tasks = job.tasks();
            attempts = job.attempts();
            command = job.command();
            submitted = job.submitted();
            epochsDone = job.epochsDone();
            epochs = job.epochs();
            config = job.config();
        }

        void trains(ProgressBody now) {
            epochsDone = now.epochsDone();
            epochs = now.epochs();
        }

        JobBody body() {
            return new JobBody(
                    job.id(),
                    job.name(),
                    job.owner(),
                    job.project(),
                    job.cluster(),
                    job.state(),
                    job.reason(),
                    job.exitCode(),
                    job.priority(),
                    job.gpus(),
                    job.gpuPart(),
                    job.interactive(),
                    tasks,
                    attempts,
                    job.failures(),
                    job.array(),
                    job.arrayIndex(),
                    command,
                    submitted,
                    job.started(),
                    job.finished(),
                    job.place(),
                    job.predictedStart(),
                    job.predictedEarliest(),
                    job.predictedLatest(),
                    job.nodes(),
                    epochsDone,
                    epochs,
                    config);
        }
    }

    synchronized void state(String state, Integer exitCode) {
        body = body(body.id(), state, exitCode, body.array());
        notifyAll();
    }

    /** Somebody asks how it stands. */
    synchronized void looked() {
        if (looksBeforeEnd > 0 && --looksBeforeEnd == 0) state("failed", 3);
    }

    void array(String array) {
        body = body(body.id(), body.state(), body.exitCode(), array);
    }

    /** Returns when the job is over, or when the server closes. */
    synchronized void awaitEnd() {
        try {
            while (!isOver()) wait();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isOver() {
        return Words.isOver(body.state());
    }

    /** Somebody listens to what happens to it, which goes on until its end. */
    void waited() {
        if (looksBeforeEnd == 0 && afterWait == null) awaitEnd();
        if (afterWait != null) state(afterWait, afterWait.equals("succeeded") ? 0 : 1);
    }

    /** Whether the server still has its log. */
    boolean hasLog = true;

    String log(String task) {
        return taskLogs.isEmpty() ? log : taskLogs.getOrDefault(task, "");
    }

    private TaskBody task(String name) {
        return new TaskBody(
                name, body.state(), "box", List.of(2), null, null, body.exitCode(), null, null);
    }

    JobDetail detail() {
        var tasks = new ArrayList<TaskBody>();
        for (String name : taskLogs.keySet()) tasks.add(task(name));
        if (tasks.isEmpty()) tasks.add(task("main/0"));
        var event =
                new EventBody(
                        body.id(),
                        "2025-11-15T04:30:00Z",
                        "AttemptPlaced",
                        "attempt 1 on box",
                        "starting");
        return new JobDetail(
                body,
                spec,
                tasks,
                List.of(event),
                obstacles,
                List.of("limits of CPU and memory are not enforced"),
                progress,
                setbacks);
    }

    WhyBody why() {
        return new WhyBody(
                body.id(),
                body.state(),
                body.place(),
                ahead,
                needs,
                obstacles,
                holders,
                holders.isEmpty() ? null : 2,
                body.predictedStart(),
                body.predictedEarliest(),
                body.predictedLatest(),
                advice);
    }
}
