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
    /** A line of a table; a page of a list may have thousands. */
    private static final int BEGINNING_CHARS_MAX = 200;

    /** A spec has a bound of its own. */
    private static final int WHOLE = Integer.MAX_VALUE;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern NEEDS_NO_QUOTES = Pattern.compile("[A-Za-z0-9_@%+=:,./{}-]+");

    private final List<JobView> views;

    /** How much of a job's command a reader gets. */
    public enum Command {
        /** Who may not see the spec. */
        NONE,
        /** Somebody with a list. */
        BEGINNING,
        /** Somebody who asks about this job alone. */
        WHOLE
    }

    /**
     * @param views of all dialects whose jobs look different from what their owners wrote
     */
    public JobBodies(List<JobView> views) {
        this.views = List.copyOf(views);
    }

    /** As its owner sees it, wherever it stands. */
    public JobBody job(Job job) {
        return job(job, Optional.empty(), Optional.empty(), Command.BEGINNING);
    }

    /**
     * @param trouble what keeps a job that has its place from running
     * @param command how much of it is for this reader
     */
    public JobBody job(
            Job job,
            Optional<Bodies.Standing> standing,
            Optional<String> trouble,
            Command command) {
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
                command(job, command),
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
                command == Command.NONE ? null : config(spec));
    }

    private String command(Job job, Command amount) {
        return switch (amount) {
            case NONE -> null;
            case BEGINNING -> line(written(job.command()), BEGINNING_CHARS_MAX);
            case WHOLE -> line(written(job.command()), WHOLE);
        };
    }

    /** The command as it was submitted, in one line; of an array with {@code {i}} in it. */
    public String command(JobSpec spec) {
        return line(written(spec.roles().getFirst().command()), BEGINNING_CHARS_MAX);
    }

    /** The unique keys of the jobs that a dialect calls so when this caller says it. */
    public List<String> keys(String word, String caller) {
        return views.stream().flatMap(view -> view.keys(word, caller).stream()).toList();
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
    static String line(List<String> command, int most) {
        var line = new StringBuilder();
        if (CommandAdapter.isShell(command)) {
            line.append(beginning(command.getLast(), most));
        } else {
            for (String word : command) {
                if (line.length() > most) break;
                line.append(line.isEmpty() ? "" : " ").append(quoted(beginning(word, most)));
            }
        }
        String flat = BLANKS.matcher(line).replaceAll(" ");
        return flat.length() <= most ? flat : cut(flat, most - 3) + "...";
    }

    /** More than is shown, so that what is cut later still says that it was cut. */
    private static String beginning(String word, int most) {
        return word.length() / 2 < most ? word : cut(word, 2 * most);
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
