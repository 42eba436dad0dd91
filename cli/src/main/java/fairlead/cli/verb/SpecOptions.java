package fairlead.cli.verb;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.SubmitAnswer;
import fairlead.api.SubmitRequest.ArrayBody;
import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.spec.AfterBody;
import fairlead.api.spec.CommandAdapter;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.Here;
import fairlead.cli.job.Submission;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.openpai.OpenPaiDrafts;
import fairlead.cli.pods.PodDrafts;
import fairlead.cli.spec.Draft;
import fairlead.cli.spec.SpecFile;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The options that say what a job is, for {@code run} and {@code submit}; they win over a file. */
final class SpecOptions {
    static final Option NAME =
            Option.valued("--name", null, "NAME", "the first part of the job's id");
    static final Option PROJECT = Option.valued("--project", null, "NAME", "who pays");
    static final Option PRIORITY =
            Option.valued("--priority", null, "N", "higher goes first among your own jobs");
    static final Option AS =
            Option.valued("--as", null, "NAME", "for somebody else; only admins may");
    static final Option INTERACTIVE =
            Option.flag(
                    "--interactive",
                    null,
                    "inside your project's quota, never preempted, ends at a limit");
    static final Option GPU =
            Option.valued("--gpu", null, "N", "GPUs for each task, or a part of one: 0.5");
    static final Option GPU_MEMORY =
            Option.valued("--gpu-memory", null, "SIZE", "a part of one GPU, by its memory: 8G");
    static final Option GPU_TYPE =
            Option.valued("--gpu-type", null, "TEXT", "only GPUs of this type: a100");
    static final Option CPUS = Option.valued("--cpus", null, "N", "CPUs for each task");
    static final Option MEMORY =
            Option.valued("--memory", null, "SIZE", "memory for each task: 8G");
    static final Option TIME = Option.valued("--time", null, "T", "time limit: 90s, 30m, 4h, 2d");
    static final Option RETRIES =
            Option.valued("--retries", null, "N", "how often a failed job is tried again");
    static final Option ENVIRONMENT =
            Option.valued(
                    "--env", "-e", "KEY[=VALUE]", "set a variable, or copy it from the shell");
    static final Option WORKDIR =
            Option.valued("--workdir", null, "DIR", "where to run; by default where you are");
    static final Option USER = Option.valued("--user", null, "NAME", "the account to run as");
    static final Option TASKS = Option.valued("--tasks", null, "N", "run N tasks at once");
    static final Option FILE =
            Option.valued(
                    "--file", "-f", "FILE", "a job file, YAML or JSON; - reads standard input");
    static final Option OPENPAI =
            Option.valued(
                    "--openpai", null, "FILE", "a job file of OpenPAI, whatever it looks like");
    static final Option ARRAY =
            Option.valued("--array", null, "A-B", "a job for each index; {i} becomes the index");

    private static final Option AFTER =
            Option.valued("--after", null, "JOB", "wait until this job or array has started");
    private static final Option AFTER_OK =
            Option.valued("--after-ok", null, "JOB", "wait until it has succeeded");
    private static final Option AFTER_ANY =
            Option.valued("--after-any", null, "JOB", "wait until it has ended, well or not");

    private static final Option ANYWAY =
            Option.flag("--anyway", null, "queue it although the cluster is too small for it");

    static final List<Option> ALL = all();

    private static List<Option> all() {
        var all =
                new ArrayList<>(
                        List.of(
                                Option.GPUS,
                                GPU,
                                GPU_MEMORY,
                                GPU_TYPE,
                                Option.CLUSTER,
                                NAME,
                                PROJECT,
                                PRIORITY,
                                INTERACTIVE,
                                CPUS,
                                MEMORY,
                                TIME,
                                RETRIES,
                                ENVIRONMENT,
                                WORKDIR,
                                USER,
                                AS,
                                TASKS,
                                FILE,
                                OPENPAI,
                                AFTER,
                                AFTER_OK,
                                AFTER_ANY,
                                ANYWAY));
        all.addAll(ContainerOptions.ALL);
        all.addAll(TrainingOptions.ALL);
        return List.copyOf(all);
    }

    static final String NOTES =
            """
            Options come first; from the first word that is not an option (or after --) everything is
            the command. Several words are executed as they are, one single word by 'sh -c'. Of your
            environment only PATH, VIRTUAL_ENV, CONDA_PREFIX, CONDA_DEFAULT_ENV, PYTHONPATH,
            LD_LIBRARY_PATH, LANG, LC_ALL and TZ go along; -e adds others.\
            """;

    private final Arguments arguments;
    private final Session session;
    private final Here here;

    private SpecOptions(Arguments arguments, Session session) throws IOException {
        this.arguments = arguments;
        this.session = session;
        this.here = Here.of(session);
    }

    /** The jobs that the command line asks for: one for each in the file, or the one command. */
    static List<Draft> drafts(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var options = new SpecOptions(arguments, session);
        var drafts = options.fromFile();
        for (Draft draft : drafts) options.complete(draft);
        var pods = new PodDrafts(arguments.text(AS).orElse(null), session);
        for (Draft draft : drafts) pods.fit(draft);
        var named =
                new OpenPaiDrafts(arguments.text(AS).orElse(null), arguments.text(NAME), session);
        for (Draft draft : drafts) named.fit(draft);
        return drafts;
    }

    /** Refuses what could never start, unless the user wants it all the same. */
    static Answer<SubmitAnswer> submit(Submission submission, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.has(ANYWAY)) return submission.submit(session);
        try {
            return submission.submitIfItFits(session);
        } catch (Failure e) {
            if (!isTooLarge(e)) throw e;
            throw new Failure(
                    e.exitCode(),
                    e.getMessage() + "\n'--anyway' queues it, for when the cluster has grown.");
        }
    }

    /** A file may be meant for another cluster, so what could never start here is shown too. */
    static Answer<List<SpecBody>> dryRun(Submission submission, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            return submission.dryRunIfItFits(session);
        } catch (Failure e) {
            if (!isTooLarge(e)) throw e;
            session.say("a submit would be refused: " + e.getMessage());
            return submission.dryRun(session);
        }
    }

    private static boolean isTooLarge(Failure failure) {
        return failure.getMessage().contains("can never start");
    }

    static ArrayBody array(Arguments arguments) throws UsageException {
        String text = arguments.text(ARRAY).orElse(null);
        if (text == null) return null;
        if (text.matches("\\d+-\\d+") && !text.matches("\\d{1,9}-\\d{1,9}")) {
            throw new UsageException(
                    "--array has numbers of 9 digits at most, for up to "
                            + ArrayJobs.JOBS_MAX
                            + " jobs, but is '"
                            + text
                            + "'");
        }
        if (!text.matches("\\d{1,9}-\\d{1,9}")) {
            throw new UsageException(
                    "--array must be FROM-TO, such as 0-499, but is '" + text + "'");
        }
        int dash = text.indexOf('-');
        int from = Integer.parseInt(text.substring(0, dash));
        int to = Integer.parseInt(text.substring(dash + 1));
        if (to < from) throw new UsageException("--array ends before it begins: '" + text + "'");
        return new ArrayBody(from, to);
    }

    private List<Draft> fromFile() throws UsageException, IOException {
        String file = arguments.text(FILE).orElse(null);
        String openPai = arguments.text(OPENPAI).orElse(null);
        if (file != null && openPai != null) {
            throw new UsageException("say one of --file and --openpai");
        }
        if (openPai != null) return List.of(SpecFile.openPai(openPai, text(openPai)));
        if (file != null) return SpecFile.read(file, text(file));
        if (arguments.operands().isEmpty() && !arguments.has(ContainerOptions.ENTRYPOINT)) {
            throw new UsageException("what should run? The command is missing.");
        }
        return List.of(new Draft());
    }

    private String text(String file) throws UsageException, IOException {
        try {
            if (file.equals("-")) return text("the standard input", System.in);
            Path path = session.terminal().folder().resolve(file);
            if (!Files.exists(path)) throw new UsageException("there is no file " + file);
            if (Files.isDirectory(path)) throw new UsageException(file + " is a folder");
            try (var in = begun(file, path)) {
                return text(file, in);
            }
        } catch (CharacterCodingException _) {
            throw new UsageException(file + " is not text in UTF-8");
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage());
        }
    }

    /** A pipe opens when somebody opens it for writing, and says something only when they do. */
    private InputStream begun(String file, Path path) throws IOException {
        try (var _ = new WaitingWord("waiting for what is written to " + file, session)) {
            var in = new BufferedInputStream(Files.newInputStream(path));
            in.mark(1);
            in.read();
            in.reset();
            return in;
        }
    }

    /** No more than the limit is read: a pipe or a device may have no end. */
    private static String text(String file, InputStream in) throws UsageException, IOException {
        byte[] bytes = in.readNBytes(SpecFile.BYTES_MAX + 1);
        if (bytes.length > SpecFile.BYTES_MAX)
            throw new UsageException(
                    file + " is longer than the limit of " + (SpecFile.BYTES_MAX >> 20) + " MiB");
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private void complete(Draft draft) throws UsageException {
        if (arguments.has(NAME)) {
            draft.spec.name = override(draft, NAME, "name");
        }
        if (arguments.has(PROJECT)) draft.spec.project = override(draft, PROJECT, "project");
        if (arguments.has(Option.CLUSTER)) {
            draft.spec.cluster = override(draft, Option.CLUSTER, "cluster");
        }
        if (arguments.has(TIME)) draft.spec.time = override(draft, TIME, "time");
        if (arguments.has(USER)) draft.spec.user = override(draft, USER, "user");
        if (arguments.has(PRIORITY)) {
            draft.overridden("priority");
            draft.spec.priority = arguments.numberOrNull(PRIORITY, Integer.MIN_VALUE);
        }
        if (arguments.has(RETRIES)) {
            draft.overridden("retries");
            draft.spec.retries = arguments.numberOrNull(RETRIES, 0);
        }
        if (arguments.has(INTERACTIVE)) {
            draft.overridden("interactive");
            draft.spec.interactive = true;
        }
        after(draft);
        tasks(draft);
        settings(draft.spec.env);
        workdir(draft);
        ContainerOptions.complete(draft, arguments, here);
        TrainingOptions.complete(draft, arguments, session.now());
    }

    private String override(Draft draft, Option option, String field) {
        draft.overridden(field);
        return arguments.text(option).orElseThrow();
    }

    /** Besides what a file says. */
    private void after(Draft draft) {
        var all = new ArrayList<AfterBody>();
        for (String job : arguments.all(AFTER)) all.add(new AfterBody(job, "started"));
        for (String job : arguments.all(AFTER_OK)) all.add(new AfterBody(job, "succeeded"));
        for (String job : arguments.all(AFTER_ANY)) all.add(new AfterBody(job, "ended"));
        if (all.isEmpty()) return;
        if (draft.spec.after != null) all.addAll(0, draft.spec.after);
        draft.spec.after = all;
    }

    private void tasks(Draft draft) throws UsageException {
        Integer cpus = arguments.numberOrNull(CPUS, 0);
        Integer tasks = arguments.numberOrNull(TASKS, 1);
        if (!arguments.operands().isEmpty()) {
            List<String> command = command(ContainerOptions.isEntryPoint(draft, arguments));
            draft.ofOneRole("command", role -> role.command = command);
        }
        gpus(draft);
        if (cpus != null) draft.ofOneRole("cpus", role -> role.cpus = cpus);
        if (arguments.has(MEMORY)) {
            String memory = arguments.text(MEMORY).orElseThrow();
            draft.ofOneRole("memory", role -> role.memory = memory);
        }
        if (tasks != null) draft.ofOneRole("count", role -> role.count = tasks);
    }

    private void gpus(Draft draft) throws UsageException {
        Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
        String gpu = arguments.text(GPU).orElse(null);
        String memory = arguments.text(GPU_MEMORY).orElse(null);
        long said = Stream.of(gpus, gpu, memory).filter(Objects::nonNull).count();
        if (said > 1) throw new UsageException("say one of -n, --gpu and --gpu-memory");
        if (said == 1) {
            // Whichever of the three the file says, this one goes before it.
            for (String field : List.of("gpus", "gpu", "gpuMemory")) {
                draft.ofOneRole(field, SpecOptions::clearGpus);
            }
            draft.ofOneRole(
                    "gpus",
                    role -> {
                        role.gpus = gpus;
                        role.gpu = gpu;
                        role.gpuMemory = memory;
                    });
        }
        String type = arguments.text(GPU_TYPE).orElse(null);
        if (type != null) draft.ofOneRole("gpuType", role -> role.gpuType = type);
    }

    private static void clearGpus(RoleBody.Edit role) {
        role.gpus = null;
        role.gpu = null;
        role.gpuMemory = null;
    }

    /** Arguments of an image's own program are no text for a shell. */
    private List<String> command(boolean isArguments) throws UsageException {
        List<String> words = arguments.operands();
        Words.refuseBroken(words);
        if (words.size() > 1 || isArguments) {
            if (words.getFirst().isEmpty()) throw new UsageException("the command is empty");
            return words;
        }
        if (words.getFirst().isBlank()) throw new UsageException("the command is empty");
        refuseFile(words.getFirst());
        return CommandAdapter.shell(words.getFirst());
    }

    /** A job file that cannot be run as a program was meant as one. */
    private void refuseFile(String command) throws UsageException {
        if (!command.matches("[^\\s\\p{Cntrl}]+\\.(json|ya?ml)")) return;
        Path file = session.terminal().folder().resolve(command);
        if (!Files.isRegularFile(file) || Files.isExecutable(file)) return;
        throw new UsageException(
                "'"
                        + command
                        + "' is a file and no program: '-f "
                        + command
                        + "' reads a job file");
    }

    /** What the options set, over what the file sets. */
    private void settings(Map<String, String> environment) throws UsageException {
        Map<String, String> shell = session.terminal().environment();
        for (String setting : arguments.all(ENVIRONMENT)) {
            int equals = setting.indexOf('=');
            String name = equals < 0 ? setting : setting.substring(0, equals);
            String value = equals < 0 ? shell.get(name) : setting.substring(equals + 1);
            if (name.isEmpty())
                throw new UsageException("-e needs KEY=VALUE, but got '" + setting + "'");
            if (value == null) {
                throw new UsageException("-e " + name + " copies a variable that is not set here");
            }
            environment.put(name, value);
        }
    }

    /** An empty one is the image's own. */
    private void workdir(Draft draft) {
        if (arguments.has(WORKDIR)) draft.spec.workdir = override(draft, WORKDIR, "workdir");
        boolean isPath = draft.spec.workdir != null && !draft.spec.workdir.isEmpty();
        if (isPath) draft.spec.workdir = here.path(draft.spec.workdir);
    }
}
