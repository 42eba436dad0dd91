package fairlead.job;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What a user asks for, complete and checked: all defaults are filled in.
 *
 * @param name the experiment; becomes the first part of the job's id
 * @param priority among the jobs of one owner, higher goes first; may be negative
 * @param retries how often a failed attempt is tried again
 * @param workingFolder absolute; empty for the image's own, which only an image has
 * @param user the account to run as; empty: the account of whoever runs the engine
 * @param interactive somebody sits before it: it runs inside its project's quota, is never
 *     preempted and ends at a limit
 * @param container what its tasks find around them
 * @param training what an epoch-aware job has declared
 * @param retry says more exactly than a count what is tried again; then retries are zero
 * @param origin the file of another system that it was made from
 * @param secrets the names of those variables of the environment that nobody is shown
 * @param after what must have happened to other jobs before it is in the queue
 */
public record JobSpec(
        String name,
        String cluster,
        String project,
        int priority,
        List<Role> roles,
        Map<String, String> environment,
        int retries,
        Optional<Duration> timeLimit,
        String workingFolder,
        Optional<String> user,
        boolean interactive,
        Container container,
        Optional<Training> training,
        Optional<RetryPolicy> retry,
        Optional<Origin> origin,
        Set<String> secrets,
        List<After> after) {
    /** Of jobs and of projects. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** An account of an operating system. */
    public static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,31}");

    private static final Duration TIME_LIMIT_MAX = Duration.ofDays(3_650);

    /** Stands for the index in the spec of an array. */
    private static final String INDEX = "{i}";

    public JobSpec {
        roles = List.copyOf(roles);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        secrets = Set.copyOf(secrets);
        after = List.copyOf(after);
        checkName(name, "name");
        checkName(cluster, "cluster");
        checkName(project, "project");
        SpecException.unless(
                Math.abs((long) priority) <= Limits.PRIORITY_MAX,
                "priority",
                "must be -"
                        + Limits.PRIORITY_MAX
                        + " to "
                        + Limits.PRIORITY_MAX
                        + ", but is "
                        + priority);
        SpecException.unless(
                retries >= 0 && retries <= Limits.RETRIES_MAX,
                "retries",
                "must be 0 to " + Limits.RETRIES_MAX + ", but is " + retries);
        timeLimit.ifPresent(
                limit ->
                        SpecException.unless(
                                limit.isPositive() && limit.compareTo(TIME_LIMIT_MAX) <= 0,
                                "time",
                                "must be positive and at most 3650 days"));
        Texts.checkArgument(workingFolder, "workdir");
        SpecException.unless(
                workingFolder.startsWith("/") || workingFolder.isEmpty(),
                "workdir",
                "must be an absolute path, but is '" + workingFolder + "'");
        user.ifPresent(
                account ->
                        SpecException.unless(
                                ACCOUNT.matcher(account).matches(),
                                "user",
                                "is not an account name: '" + account + "'"));
        checkRoles(roles);
        checkCommands(roles, container);
        if (training.isPresent()) checkTraining(roles, interactive);
        SpecException.unless(
                retry.isEmpty() || retries == 0,
                "retries",
                "cannot be given together with retry; say one of them");
        SpecException.unless(
                origin.isEmpty() || container.details().podName().isEmpty(),
                "container.podName",
                "cannot be given together with origin: a job is unique in one way only");
        SpecException.unless(
                after.size() <= Limits.AFTER_MAX,
                "after",
                "has " + after.size() + " entries; the limit is " + Limits.AFTER_MAX);
        checkEnvironment(environment);
        if (!environment.keySet().containsAll(secrets))
            throw new IllegalArgumentException("a secret that is no variable: " + secrets);
        checkSize(roles, environment);
    }

    /**
     * What must have happened to another job, or to all jobs of an array.
     *
     * @param job its id, or the array's
     */
    public record After(String job, Until until) {
        /** How far it must have come. */
        public enum Until {
            STARTED("has started"),
            SUCCEEDED("has succeeded"),
            ENDED("has ended");

            private final String words;

            Until(String words) {
                this.words = words;
            }
        }

        /** Such as {@code prepare_1767225600_0000002a has succeeded}. */
        @Override
        public String toString() {
            return job + " " + until.words;
        }
    }

    public static JobSpec of(Consumer<Edit> change) {
        return new Edit().after(change);
    }

    public JobSpec with(Consumer<Edit> change) {
        return new Edit(this).after(change);
    }

    public JobSpec inProject(String other) {
        var edit = new Edit(this);
        edit.project = other;
        return edit.spec();
    }

    public JobSpec notInteractive() {
        var edit = new Edit(this);
        edit.interactive = false;
        return edit.spec();
    }

    public JobSpec withRoles(UnaryOperator<Role> change) {
        var edit = new Edit(this);
        edit.roles = roles.stream().map(change).toList();
        return edit.spec();
    }

    public JobSpec withEnvironment(Map<String, String> other) {
        var edit = new Edit(this);
        edit.environment = other;
        return edit.spec();
    }

    /** The same job, whose tasks begin in this folder. */
    public JobSpec inFolder(String other) {
        var edit = new Edit(this);
        edit.workingFolder = other;
        return edit.spec();
    }

    /** The same job outside any image, in this folder. */
    public JobSpec withoutImage(String folder) {
        var edit = new Edit(this);
        edit.container = Container.NONE;
        edit.workingFolder = folder;
        return edit.spec();
    }

    public JobSpec withTraining(Training other) {
        var edit = new Edit(this);
        edit.training = Optional.of(other);
        return edit.spec();
    }

    /**
     * The spec of one job of an array: {@code {i}} in commands and environment is its index. One
     * without it stays as it is.
     */
    public JobSpec at(int index) {
        boolean differs =
                environment.values().stream().anyMatch(value -> value.contains(INDEX))
                        || roles.stream()
                                .flatMap(role -> role.command().stream())
                                .anyMatch(word -> word.contains(INDEX));
        if (!differs) return this;
        var own = new LinkedHashMap<>(environment);
        own.replaceAll((_, value) -> at(value, index));
        return withEnvironment(own).withRoles(role -> role.running(at(role.command(), index)));
    }

    static List<String> at(List<String> words, int index) {
        return words.stream().map(word -> at(word, index)).toList();
    }

    static String at(String word, int index) {
        return word.replace(INDEX, Integer.toString(index));
    }

    public Optional<String> podName() {
        return container.details().podName();
    }

    /**
     * What no other job that is kept may have, with the kind of name before it: {@code
     * pod:PROJECT/NAME} or {@code openpai:USER~JOB}.
     */
    public Optional<String> uniqueKey() {
        return origin.filter(from -> !from.key().isEmpty())
                .map(from -> from.dialect() + ":" + from.key())
                .or(() -> podName().map(pod -> "pod:" + project + "/" + pod));
    }

    /**
     * The same job beside this one: its pod is called as the engine likes, and what another system
     * calls it has this at its end.
     */
    public JobSpec renamed(String end) {
        var edit = new Edit(this);
        edit.container =
                new Container(
                        container.image(),
                        container.mounts(),
                        container.ports(),
                        container.details().with(details -> details.podName = Optional.empty()));
        edit.origin = origin.map(from -> from.renamed(end));
        return edit.spec();
    }

    /**
     * The same spec with the tasks and GPUs that an attempt has: the scheduler chooses them for a
     * training job. Every other spec stays as it is.
     */
    JobSpec sizedTo(Placement placement) {
        if (training.isEmpty()) return this;
        List<Share> shares = placement.tasks().getFirst().shares();
        GpuPart part =
                shares.size() == 1 && !shares.getFirst().isWhole()
                        ? GpuPart.ofUnits(shares.getFirst().units())
                        : GpuPart.WHOLE;
        return sized(placement.tasks().size(), shares.size(), part);
    }

    /** As its owner has asked for it, whatever an attempt has got. */
    public JobSpec sizedAsAsked() {
        return training.map(asked -> sized(1, asked.gpus(), GpuPart.WHOLE)).orElse(this);
    }

    /** For a training job: with so many tasks, and so many GPUs or such a part of one for each. */
    public JobSpec sized(int tasks, int gpusEach, GpuPart part) {
        Role only = roles.getFirst();
        Resources ask = only.resources();
        if (only.count() == tasks && ask.gpus() == gpusEach && ask.part().equals(part)) return this;
        Resources sized = ask.withGpus(gpusEach, part);
        return withRoles(role -> role.asking(sized).times(tasks));
    }

    private static void checkName(String name, String field) {
        SpecException.unless(
                NAME.matcher(name).matches(),
                field,
                "must be 1 to 63 letters, digits or . _ - and start with a letter or digit, but is"
                        + " '"
                        + name
                        + "'");
    }

    private static void checkRoles(List<Role> roles) {
        SpecException.unless(!roles.isEmpty(), "roles", "is empty");
        SpecException.unless(
                roles.size() <= Limits.ROLES_PER_JOB_MAX,
                "roles",
                "has " + roles.size() + " entries; the limit is " + Limits.ROLES_PER_JOB_MAX);
        var names = new HashSet<String>();
        int tasks = 0;
        for (int i = 0; i < roles.size(); i++) {
            Role role = roles.get(i);
            SpecException.unless(
                    names.add(role.name()),
                    "roles[" + i + "].name",
                    "is given twice: '" + role.name() + "'");
            tasks += role.count();
        }
        SpecException.unless(
                tasks <= Limits.TASKS_PER_JOB_MAX,
                "roles",
                "have " + tasks + " tasks together; the limit is " + Limits.TASKS_PER_JOB_MAX);
    }

    private static void checkCommands(List<Role> roles, Container container) {
        boolean isOptional = container.details().ownEntryPoint();
        SpecException.unless(
                !isOptional || container.image().isPresent(),
                "container.entrypoint",
                "is the image's, but there is no image");
        for (int i = 0; i < roles.size(); i++) {
            SpecException.unless(
                    isOptional || !roles.get(i).command().isEmpty(),
                    roles.size() == 1 ? "command" : "roles[" + i + "].command",
                    "is empty");
        }
    }

    private static void checkTraining(List<Role> roles, boolean interactive) {
        SpecException.unless(
                roles.size() == 1,
                "training",
                "is for jobs with one role, but this one has " + roles.size());
        SpecException.unless(!interactive, "training", "is not for interactive jobs");
    }

    private static void checkEnvironment(Map<String, String> environment) {
        SpecException.unless(
                environment.size() <= Limits.ENVIRONMENT_ENTRIES_MAX,
                "env",
                "has "
                        + environment.size()
                        + " entries; the limit is "
                        + Limits.ENVIRONMENT_ENTRIES_MAX);
        environment.forEach(
                (key, value) -> {
                    SpecException.unless(
                            VARIABLE.matcher(key).matches(),
                            "env",
                            "has a bad name: '" + key + "'");
                    Texts.checkArgument(value, "env." + key);
                });
    }

    private static void checkSize(List<Role> roles, Map<String, String> environment) {
        int shared = 0;
        for (var entry : environment.entrySet()) {
            shared += Texts.bytes(entry.getKey()) + Texts.bytes(entry.getValue()) + 2;
        }
        for (Role role : roles) {
            int bytes = shared;
            for (String argument : role.command()) bytes += Texts.bytes(argument) + 1;
            SpecException.unless(
                    bytes <= Limits.COMMAND_AND_ENVIRONMENT_BYTES_MAX,
                    "command",
                    "takes "
                            + bytes
                            + " bytes with the environment; the limit is "
                            + Limits.COMMAND_AND_ENVIRONMENT_BYTES_MAX);
        }
    }

    /**
     * What tells the speed of a job, whatever the experiment is called: the first two words of its
     * command, such as {@code python train.py}, and the batch size.
     */
    public String script() {
        return script(roles.getFirst().command());
    }

    /** The same if it ran this command. */
    public String script(List<String> command) {
        boolean isShell = command.size() == 3 && command.get(1).equals("-c");
        List<String> words = isShell ? List.of(command.get(2).split("\\s+", 3)) : command;
        String script = String.join(" ", words.subList(0, Math.min(2, words.size())));
        return training.map(asked -> script + " " + asked.batchSize()).orElse(script);
    }

    public int tasks() {
        int sum = 0;
        for (Role role : roles) sum += role.count();
        return sum;
    }

    /** All tasks together. */
    public int gpus() {
        int sum = 0;
        for (Role role : roles) sum += role.count() * role.resources().gpus();
        return sum;
    }

    /** All tasks together, in thousandths of a GPU. */
    public long milliGpus() {
        long sum = 0;
        for (Role role : roles) sum += (long) role.count() * role.resources().milliGpus();
        return sum;
    }

    public Role role(String wanted) {
        for (Role role : roles) if (role.name().equals(wanted)) return role;
        throw new IllegalArgumentException("no role " + wanted + " in " + name);
    }

    /**
     * A spec in the making, or about to change. A new one is plain: nobody sits before it, nothing
     * is around it, and it does not report; its names, roles and folder are yet to be said.
     */
    public static final class Edit {
        public String name;
        public String cluster;
        public String project;
        public int priority;
        public List<Role> roles;
        public Map<String, String> environment = Map.of();
        public int retries;
        public Optional<Duration> timeLimit = Optional.empty();
        public String workingFolder;
        public Optional<String> user = Optional.empty();
        public boolean interactive;
        public Container container = Container.NONE;
        public Optional<Training> training = Optional.empty();
        public Optional<RetryPolicy> retry = Optional.empty();
        public Optional<Origin> origin = Optional.empty();
        public Set<String> secrets = Set.of();
        public List<After> after = List.of();

        public Edit() {}

        public Edit(JobSpec old) {
            name = old.name;
            cluster = old.cluster;
            project = old.project;
            priority = old.priority;
            roles = old.roles;
            environment = old.environment;
            retries = old.retries;
            timeLimit = old.timeLimit;
            workingFolder = old.workingFolder;
            user = old.user;
            interactive = old.interactive;
            container = old.container;
            training = old.training;
            retry = old.retry;
            origin = old.origin;
            secrets = old.secrets;
            after = old.after;
        }

        private JobSpec after(Consumer<Edit> change) {
            change.accept(this);
            return spec();
        }

        public JobSpec spec() {
            return new JobSpec(
                    name,
                    cluster,
                    project,
                    priority,
                    roles,
                    environment,
                    retries,
                    timeLimit,
                    workingFolder,
                    user,
                    interactive,
                    container,
                    training,
                    retry,
                    origin,
                    secrets,
                    after);
        }
    }
}
