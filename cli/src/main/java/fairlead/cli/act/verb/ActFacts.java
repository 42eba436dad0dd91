package fairlead.cli.act.verb;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.spec.SpecBody;
import fairlead.cli.act.assets.AssetFolder;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.CommandParameters;
import fairlead.dialects.act.log.LogFacts;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What ACT says about a job, by its own names for things; what is not known is left out. */
public final class ActFacts {
    private static final int SHORT_ID_CHARACTERS = 5;

    /** As many lines as ACT shows; what a training says about its course stands there. */
    static final int LINES = 100;

    private final Map<String, Object> facts = new HashMap<>();

    /** Of a job in the list of all. */
    public static ActFacts of(JobBody job, Instant now) {
        var facts = new ActFacts();
        facts.add(job, now);
        return facts;
    }

    static ActFacts of(JobDetail detail, Instant now) {
        ActFacts facts = of(detail.job(), now);
        // An older server says it in the spec alone.
        ActOrigin.of(detail).map(ActJob::config).ifPresent(name -> facts.put("cluster", name));
        SpecBody spec = detail.spec();
        if (spec != null && spec.image() != null) facts.put("docker_image", spec.image());
        if (detail.job().state().equals("running")) {
            facts.put("ssh", "fairlead ssh " + detail.job().id());
        }
        return facts;
    }

    private void add(JobBody job, Instant now) {
        String id = job.id();
        put("appID", id);
        put("appID-s", id.substring(Math.max(0, id.length() - SHORT_ID_CHARACTERS)));
        put("cluster", job.config() == null ? job.cluster() : job.config());
        String command = job.command() == null ? "" : job.command();
        put("cmd", Paint.plain(command, Integer.MAX_VALUE));
        // Counted until now also for a job that has ended, as ACT's document shows it.
        put("elapsedTime", hours(job.started(), now).orElse(null));
        put("num_gpu", job.gpus());
        put("start_time", job.started() == null ? null : time(job.started()));
        put("status", ActStatus.act(job.state()));
        if (job.finished() != null) {
            put("end_time", time(job.finished()));
            put("elapsedFinished", hours(job.finished(), now).orElseThrow());
        }
        CommandParameters.of(command).ifPresent(this::add);
    }

    private void add(CommandParameters parameters) {
        put("cmd_param", parameters.all());
        for (String name : List.of("data", "net", "expid")) {
            parameters.about(name).ifPresent(value -> put(name, value));
        }
        parameters.fullExperiment().ifPresent(value -> put("full_expid", value));
    }

    /** Adds what the logs say. */
    void logs(List<Path> files, boolean hasFailed) throws IOException {
        if (files.isEmpty()) return;
        put("master_log", files.getFirst().toString());
        var end = new ArrayList<String>();
        // The program on the node writes about GPUs into its own file, which is the last.
        end.addAll(AssetFolder.end(files.getLast(), LINES));
        end.addAll(AssetFolder.end(files.getFirst(), LINES));
        LogFacts course = LogFacts.of(end);
        course.speed().ifPresent(value -> put("speed", value));
        course.left().ifPresent(value -> put("left", value));
        course.memoryUsed().ifPresent(value -> put("mem_used", value));
        course.gpuUse().ifPresent(value -> put("gpu_util", value));
        if (hasFailed) put("result", AssetFolder.errors(files).result());
    }

    void put(String name, Object value) {
        facts.put(name, value);
    }

    public Map<String, Object> all() {
        return facts;
    }

    /** As a cell of a table. */
    public String cell(String name) {
        Object value = facts.get(name);
        return value == null || value.equals("") ? "-" : value.toString();
    }

    /** To two decimals, as a number that Python prints. */
    static Optional<Double> hours(String from, Instant to) {
        if (from == null) return Optional.empty();
        double hours = Duration.between(Words.instant(from), to).toMillis() / 3_600_000.0;
        return Optional.of(Math.round(hours * 100) / 100.0);
    }

    private static String time(String time) {
        return Words.instant(time).truncatedTo(ChronoUnit.MICROS).toString();
    }
}
