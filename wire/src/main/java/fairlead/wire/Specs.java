package fairlead.wire;

import fairlead.api.spec.AfterBody;
import fairlead.api.spec.CommandAdapter;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.SpecException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Specs between their two forms: what a user wrote, and what is complete and checked. */
public final class Specs {
    private Specs() {}

    /**
     * What a spec says where its author said nothing.
     *
     * @param owner whose name, made legal, is the job's name
     * @param project the owner's own
     * @param home the working folder; absolute
     * @param clusterHasGpus then a task gets one GPU
     * @param cluster the server's first
     * @param env variables that a job has unless it sets them itself
     * @param isInside whether it runs in an image, the cluster's own if it names none: then it
     *     begins in that image's folder
     */
    public record Defaults(
            String owner,
            String project,
            String home,
            boolean clusterHasGpus,
            String cluster,
            Map<String, String> env,
            boolean isInside) {
        /** Where there are no containers, and no variables go along. */
        public Defaults(
                String owner, String project, String home, boolean clusterHasGpus, String cluster) {
            this(owner, project, home, clusterHasGpus, cluster, Map.of(), false);
        }

        String workingFolder() {
            return isInside ? "" : home;
        }
    }

    /** Fills in the defaults and checks everything; mistakes name their field as in the body. */
    public static JobSpec read(SpecBody body, Defaults defaults) {
        boolean shortForm = body.roles() == null;
        List<Role> roles =
                shortForm
                        ? List.of(role(body.main(), defaults, isOptional(body)))
                        : roles(body, defaults);
        try {
            var spec = new JobSpec.Edit();
            spec.name = or(body.name(), SpecBody.legalName(defaults.owner()));
            spec.cluster = or(body.cluster(), defaults.cluster());
            spec.project = or(body.project(), defaults.project());
            spec.priority = or(body.priority(), 0);
            spec.roles = roles;
            spec.environment = environment(body, defaults.env());
            spec.retries = or(body.retries(), 0);
            spec.timeLimit =
                    Optional.ofNullable(body.time()).map(text -> Units.duration(text, "time"));
            spec.workingFolder = or(body.workdir(), defaults.workingFolder());
            SpecException.unless(
                    !spec.workingFolder.isEmpty() || body.image() != null || defaults.isInside(),
                    "workdir",
                    "must be an absolute path, but is ''");
            spec.user = Optional.ofNullable(body.user());
            spec.interactive = or(body.interactive(), false);
            spec.container = ContainerAsk.read(body);
            List<String> labels = ContainerAsk.nodeLabels(body.container());
            if (!labels.isEmpty())
                spec.roles =
                        roles.stream()
                                .map(role -> role.asking(role.resources().withLabels(labels)))
                                .toList();
            spec.training = TrainingAsk.read(body.training(), roles);
            spec.retry = RetryAsk.read(body.retry());
            spec.origin = OriginAsk.read(body.origin());
            spec.secrets = secrets(body).keySet();
            spec.after = after(or(body.after(), List.of()));
            return spec.spec();
        } catch (SpecException e) {
            // Only the sum of all can be wrong by now, and no single role is to blame for it.
            if (shortForm || !e.field().equals("command")) throw e;
            throw new SpecException("roles", "command " + e.problem());
        }
    }

    private static List<JobSpec.After> after(List<AfterBody> bodies) {
        var all = new ArrayList<JobSpec.After>();
        for (int i = 0; i < bodies.size(); i++) {
            AfterBody body = bodies.get(i);
            String path = "after[" + i + "]";
            SpecException.unless(body != null, path, "is null");
            SpecException.unless(body.job() != null, path + ".job", "is missing");
            all.add(new JobSpec.After(body.job(), until(body.until(), path + ".until")));
        }
        return all;
    }

    private static JobSpec.After.Until until(String word, String path) {
        if (word == null) return JobSpec.After.Until.SUCCEEDED;
        for (var until : JobSpec.After.Until.values()) if (word(until).equals(word)) return until;
        throw new SpecException(path, "must be started, succeeded or ended, but is '" + word + "'");
    }

    private static String word(JobSpec.After.Until until) {
        return until.name().toLowerCase(Locale.ROOT);
    }

    private static AfterBody write(JobSpec.After after) {
        return new AfterBody(after.job(), word(after.until()));
    }

    private static List<Role> roles(SpecBody body, Defaults defaults) {
        refuseBesideRoles(body.command(), "command");
        refuseBesideRoles(body.gpus(), "gpus");
        refuseBesideRoles(body.gpu(), "gpu");
        refuseBesideRoles(body.gpuMemory(), "gpuMemory");
        refuseBesideRoles(body.gpuType(), "gpuType");
        refuseBesideRoles(body.cpus(), "cpus");
        refuseBesideRoles(body.memory(), "memory");
        var roles = new ArrayList<Role>();
        for (int i = 0; i < body.roles().size(); i++) {
            String path = "roles[" + i + "]";
            RoleBody role = body.roles().get(i);
            SpecException.unless(role != null, path, "is null");
            try {
                roles.add(role(role, defaults, isOptional(body)));
            } catch (SpecException e) {
                throw e.inside(path);
            }
        }
        return roles;
    }

    private static void refuseBesideRoles(Object value, String field) {
        SpecException.unless(
                value == null,
                field,
                "cannot be given together with roles; say it in each role instead");
    }

    /** An image has a command of its own, for those who want it. */
    private static boolean isOptional(SpecBody body) {
        return body.container() != null && Boolean.TRUE.equals(body.container().entrypoint());
    }

    private static Role role(RoleBody body, Defaults defaults, boolean commandIsOptional) {
        SpecException.unless(body.name() != null, "name", "is missing");
        SpecException.unless(body.command() != null || commandIsOptional, "command", "is empty");
        List<String> command = or(body.command(), List.of());
        SpecException.unless(
                command.stream().allMatch(Objects::nonNull), "command", "contains a null");
        // A shell would take it for success, and its author would wonder.
        boolean blank = CommandAdapter.isShell(command) && command.getLast().isBlank();
        SpecException.unless(!blank, "command", "is empty");
        GpuAsk gpus = GpuAsk.of(body, defaults.clusterHasGpus());
        int cpus = or(body.cpus(), gpus.count() == 0 ? 1 : 0);
        long memory = body.memory() == null ? 0 : Units.bytes(body.memory(), "memory");
        return new Role(
                body.name(),
                or(body.count(), 1),
                command,
                new Resources(
                        gpus.count(),
                        gpus.part(),
                        Optional.ofNullable(body.gpuType()),
                        cpus,
                        memory),
                threshold(or(body.minFailed(), 1)),
                threshold(or(body.minSucceeded(), 0)),
                PortsAsk.read(body));
    }

    private static OptionalInt threshold(int number) {
        return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
    }

    private static Map<String, String> environment(SpecBody body, Map<String, String> ofDefaults) {
        var all = new LinkedHashMap<>(ofDefaults);
        if (body.env() != null) all.putAll(body.env());
        all.forEach((key, value) -> SpecException.unless(value != null, "env." + key, "is null"));
        secrets(body)
                .forEach(
                        (key, value) -> {
                            SpecException.unless(
                                    value != null && !value.isEmpty(),
                                    "secrets." + key,
                                    "is empty: no answer shows a secret, so give its value again");
                            SpecException.unless(
                                    body.env() == null || !body.env().containsKey(key),
                                    "secrets." + key,
                                    "is in env, too; name it once");
                            all.put(key, value);
                        });
        return all;
    }

    private static Map<String, String> secrets(SpecBody body) {
        return or(body.secrets(), Map.of());
    }

    /**
     * The complete form, without a null that a default would fill; reads back to the same spec. A
     * training job's is as its owner has asked for it, whatever GPUs an attempt has got. It holds
     * the secrets, so it is for the journal alone.
     */
    public static SpecBody write(JobSpec spec) {
        return write(spec, Map.Entry::getValue);
    }

    /** The same for the job's owner and admins: secrets have their names, and no values. */
    public static SpecBody shown(JobSpec spec) {
        return write(spec, _ -> "");
    }

    private static SpecBody write(
            JobSpec given, Function<Map.Entry<String, String>, String> ofSecret) {
        JobSpec spec = given.sizedAsAsked();
        Role first = spec.roles().getFirst();
        boolean shortForm = spec.roles().size() == 1 && isPlainMain(first);
        var open = new LinkedHashMap<String, String>();
        var secrets = new LinkedHashMap<String, String>();
        for (var entry : spec.environment().entrySet()) {
            boolean isSecret = spec.secrets().contains(entry.getKey());
            if (isSecret) secrets.put(entry.getKey(), ofSecret.apply(entry));
            else open.put(entry.getKey(), entry.getValue());
        }
        var body = new SpecBody.Edit();
        body.name = spec.name();
        body.cluster = spec.cluster();
        body.project = spec.project();
        body.priority = spec.priority();
        body.interactive = spec.interactive() ? true : null;
        if (shortForm) body.main(write(first));
        else body.roles = spec.roles().stream().map(Specs::write).toList();
        body.env = open;
        body.retries = spec.retries();
        body.time = spec.timeLimit().map(Units::text).orElse(null);
        body.workdir = spec.workingFolder();
        body.user = spec.user().orElse(null);
        body.image = spec.container().image().orElse(null);
        body.mounts = ContainerAsk.mounts(spec.container());
        body.ports = ContainerAsk.ports(spec.container());
        body.container = ContainerAsk.write(spec.container().details());
        body.training = spec.training().map(TrainingAsk::write).orElse(null);
        body.retry = spec.retry().map(RetryAsk::write).orElse(null);
        body.origin = spec.origin().map(OriginAsk::write).orElse(null);
        body.secrets = secrets.isEmpty() ? null : secrets;
        body.after =
                spec.after().isEmpty() ? null : spec.after().stream().map(Specs::write).toList();
        return body.body();
    }

    private static List<String> command(Role role) {
        return role.command().isEmpty() ? null : role.command();
    }

    private static boolean isPlainMain(Role role) {
        return role.name().equals(Role.MAIN)
                && role.count() == 1
                && role.minFailed().equals(OptionalInt.of(1))
                && role.minSucceeded().isEmpty()
                && role.ports().isEmpty();
    }

    private static RoleBody write(Role role) {
        var body = new RoleBody.Edit();
        body.name = role.name();
        body.count = role.count();
        body.command = command(role);
        body.gpus = GpuAsk.gpus(role.resources());
        body.gpu = GpuAsk.gpu(role.resources());
        body.gpuMemory = GpuAsk.memory(role.resources());
        body.gpuType = role.resources().gpuType().orElse(null);
        body.cpus = role.resources().cpus();
        body.memory = Units.text(role.resources().memoryBytes());
        body.minFailed = role.minFailed().orElse(0);
        body.minSucceeded = role.minSucceeded().orElse(0);
        body.ports = PortsAsk.write(role);
        return body.body();
    }

    private static <T> T or(T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
