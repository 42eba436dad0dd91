package fairlead.server.bodies;

import fairlead.api.JobBody;
import fairlead.api.spec.CommandAdapter;
import fairlead.api.spec.OriginBody;
import fairlead.api.view.JobView;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Training;
import fairlead.policy.forecast.Forecast;
import fairlead.wire.OriginAsk;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Jobs as clients see them: in the words of their owners, whatever dialect those used. */
public final class JobBodies {
    /** A line of a table; the whole command is in the spec. */
    private static final int COMMAND_CHARS_MAX = 200;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_@%+=:,./{}-]+");

    private final List<JobView> views;

    /**
     * @param views of all dialects whose jobs look different from what their owners wrote
     */
    public JobBodies(List<JobView> views) {
        this.views = List.copyOf(views);
    }

    /** As its owner sees it, wherever it stands. */
    public JobBody job(Job job) {
        return job(job, Optional.empty(), Optional.empty(), true);
    }

    /**
     * @param trouble what keeps a job that has its place from running
     * @param maySeeSpec whether it is for somebody who may see the command
     */
    public JobBody job(
            Job job,
            Optional<Bodies.Standing> standing,
            Optional<String> trouble,
            boolean maySeeSpec) {
        JobSpec spec = job.spec();
        Optional<Forecast.Band> start = standing.flatMap(Bodies.Standing::start);
        Optional<Outcome> outcome = Bodies.outcome(job.state());
        return new JobBody(
                job.id().text(),
                spec.name(),
                job.owner(),
                spec.project(),
                spec.cluster(),
                job.state().word(),
                trouble.orElse(Bodies.reason(job.state())),
                outcome.map(Outcome::exitCode).orElse(null),
                job.priority(),
                spec.gpus(),
                Bodies.gpuPart(spec),
                spec.interactive(),
                spec.tasks(),
                job.attempts(),
                job.failures(),
                job.array().map(Job.ArrayPlace::array).orElse(null),
                job.array().map(Job.ArrayPlace::index).orElse(null),
                maySeeSpec ? line(written(job.command())) : null,
                job.submitted().toString(),
                job.started().map(Instant::toString).orElse(null),
                job.state() instanceof JobState.Finished over ? over.at().toString() : null,
                standing.map(Bodies.Standing::place).orElse(null),
                start.map(band -> band.expected().toString()).orElse(null),
                start.map(band -> band.earliest().toString()).orElse(null),
                start.map(band -> band.latest().toString()).orElse(null),
                job.attempt().map(Bodies::nodes).orElse(List.of()),
                spec.training().map(_ -> job.progress().epochsDone()).orElse(null),
                spec.training().map(Training::epochs).orElse(null),
                maySeeSpec ? config(spec) : null);
    }

    /** The name of the config file, for a job that was made from one. */
    private String config(JobSpec spec) {
        return spec.origin().map(OriginAsk::write).flatMap(this::config).orElse(null);
    }

    private Optional<String> config(OriginBody origin) {
        return views.stream().flatMap(view -> view.config(origin).stream()).findFirst();
    }

    /** Without what a dialect has put around it. */
    List<String> written(List<String> command) {
        List<String> written = command;
        for (JobView view : views) written = view.written(written);
        return written;
    }

    /** A command in one line, quoted as a shell would need it, and cut where it is too long. */
    static String line(List<String> command) {
        var line = new StringBuilder();
        if (CommandAdapter.isShell(command)) {
            line.append(beginning(command.getLast()));
        } else {
            for (String word : command) {
                if (line.length() > COMMAND_CHARS_MAX) break;
                line.append(line.isEmpty() ? "" : " ").append(quoted(beginning(word)));
            }
        }
        String flat = BLANKS.matcher(line).replaceAll(" ");
        return flat.length() <= COMMAND_CHARS_MAX ? flat : cut(flat, COMMAND_CHARS_MAX - 3) + "...";
    }

    /** More than is shown, so that what is cut later still says that it was cut. */
    private static String beginning(String word) {
        return word.length() <= 2 * COMMAND_CHARS_MAX ? word : cut(word, 2 * COMMAND_CHARS_MAX);
    }

    private static String cut(String text, int length) {
        boolean splits = Character.isHighSurrogate(text.charAt(length - 1));
        return text.substring(0, splits ? length - 1 : length);
    }

    private static String quoted(String word) {
        if (NEEDS_NO_QUOTES.matcher(word).matches()) return word;
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
